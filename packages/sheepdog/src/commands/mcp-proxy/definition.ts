import { append, type CommandDefinition } from "../command-definition.ts";
import type { McpProxyOptions } from "./mcp-proxy-command.ts";

/** `sheepdog mcp-proxy`. */
export const mcpProxyDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("mcp-proxy")
    .description("put the guardian between an MCP host and a server: start it in place of the server's command")
    .usage("[options] -- <server command>")
    .argument("[command...]", "the command that starts the server, with its arguments")
    .option("--url <address>", "a server over streamable HTTP, in place of a command")
    .option("--header <name=value>", "a header for --url, with variables as in mcp add (repeatable)", append)
    .option("--observe", "change nothing, and print to stderr what the guardian would have done")
    .passThroughOptions()
    .action(async (command: readonly string[], options: McpProxyOptions) => {
      const { mcpProxyCommand } = await import("./mcp-proxy-command.ts");
      setExitCode(await mcpProxyCommand(command, options, io));
    });
};

import { append, type CommandDefinition } from "../command-definition.ts";
import type { McpServerOptions } from "./mcp-server-command.ts";

/** `sheepdog mcp-server`. */
export const mcpServerDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("mcp-server")
    .description("let other agents start, watch, steer and stop runs, over MCP on stdin and stdout")
    .option("--root <folder>", "folder in which runs may work (repeatable); default: this folder", append)
    .option("--read-only", "offer only what starts and changes nothing")
    .option("--max-runs <n>", "how many of its runs may work at a time", "4")
    .option("--answers", "let you answer the questions of its runs in serve or a channel; default: they count as no")
    .action(async (options: McpServerOptions) => {
      const { mcpServerCommand } = await import("./mcp-server-command.ts");
      setExitCode(await mcpServerCommand(options, io));
    });
};

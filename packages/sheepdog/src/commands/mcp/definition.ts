import type { Command } from "commander";
import { append, type CommandDefinition, refuseUnknownSubcommand } from "../command-definition.ts";
import type { AddOptions } from "./add-command.ts";
import type { ImportOptions } from "./import-command.ts";

interface Json {
  readonly json?: true;
}

/** A reference to a variable, as it is written in the configuration. */
const variable = "$" + "{TOKEN}";

/** `sheepdog mcp`. */
export const mcpDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const list = async (options: Json) => setExitCode(await (await import("./list-command.ts")).listCommand(options, io));
  const mcp = program
    .command("mcp")
    .description("manage MCP servers, whose tools agents can use")
    .allowExcessArguments()
    .action(async (options: Json, command: Command) => {
      refuseUnknownSubcommand(command);
      await list(options);
    });
  mcp
    .command("list")
    .description("list the configured servers")
    .option("--json", "print one JSON document")
    .action(list);
  mcp
    .command("add")
    .description("add a server to your configuration: a program after --, or --url")
    .argument("<name>", "its tools are called <name>__<tool>")
    .argument("[command...]", "the program and its arguments, after --")
    .option("--url <url>", "the address of a server over streamable HTTP")
    .option(
      "--header <name=value>",
      `a header for --url, such as 'Authorization=Bearer ${variable}' (repeatable)`,
      append,
    )
    .option("--env <name=value>", `a variable for the program, such as 'TOKEN=${variable}' (repeatable)`, append)
    .option("--tool <glob>", "only these tools (repeatable)", append)
    .option("--trust-annotations", "believe what the server says about its tools")
    .option("-y, --yes", "approve its tools without asking")
    .option("--no-test", "only write the configuration")
    .action(async (name: string, words: readonly string[], options: AddOptions, command: Command) => {
      // Otherwise an option of the program, such as the -y of npx, would be taken for one of ours.
      if (words.length > 0 && wordsAfterSeparator(command) !== words.length)
        command.error(`error: put -- before the program: sheepdog mcp add ${name} -- ${words.join(" ")}`);
      const { addCommand } = await import("./add-command.ts");
      setExitCode(await addCommand({ name, command: words }, options, io));
    });
  mcp
    .command("remove")
    .description("remove a server from your configuration, with its approvals and its login")
    .argument("<name>", "the server")
    .action(async (name: string) => {
      const { removeCommand } = await import("./remove-command.ts");
      setExitCode(await removeCommand(name, io));
    });
  mcp
    .command("test")
    .description("start servers, and list their tools, resources and prompts")
    .argument("[names...]", "default: all servers")
    .option("--json", "print one JSON document")
    .action(async (names: readonly string[], options: Json) => {
      const { testCommand } = await import("./test-command.ts");
      setExitCode(await testCommand(names, options, io));
    });
  mcp
    .command("approve")
    .description("look at new and changed tools of a server, and approve them")
    .argument("<name>", "the server")
    .option("-y, --yes", "do not ask")
    .action(async (name: string, options: { readonly yes?: true }) => {
      const { approveCommand } = await import("./approve-command.ts");
      setExitCode(await approveCommand(name, options, io));
    });
  mcp
    .command("import")
    .description("find servers in .mcp.json and in the files of Claude Code, Codex, Gemini CLI and Cursor")
    .argument("[files...]", "default: the files of this folder and of your home folder")
    .option("--write", "add them to your configuration")
    .option("--only <name>", "only this server (repeatable)", append)
    .option("--json", "print one JSON document")
    .action(async (files: readonly string[], options: ImportOptions) => {
      const { importCommand } = await import("./import-command.ts");
      setExitCode(await importCommand(files, options, io));
    });
  mcp
    .command("login")
    .description("log in at a server with OAuth, in a browser")
    .argument("<name>", "the server")
    .action(async (name: string) => {
      const { loginCommand } = await import("./login-command.ts");
      setExitCode(await loginCommand(name, io));
    });
};

/** How many words the user has typed after `--`. */
function wordsAfterSeparator(command: Command): number {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs } = root as Command & { readonly rawArgs: readonly string[] }; // commander sets it before an action
  const separator = rawArgs.indexOf("--");
  return separator < 0 ? 0 : rawArgs.length - separator - 1;
}

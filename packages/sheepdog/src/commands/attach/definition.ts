import type { Command } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { AttachOptions } from "./attach-command.ts";
import type { StatusOptions } from "./status-command.ts";

/** `sheepdog attach`. */
export const attachDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const attach = program
    .command("attach")
    .description("put the guardian beside coding agents that you use: Claude Code, Codex, Gemini CLI, Cursor, opencode")
    .argument("[agents...]", "claude-code, codex, gemini-cli, cursor, opencode; default: list those of this machine")
    .option("--write", "change the settings; without it, the change is only shown")
    .option("--project", "in the settings that this project shares, not in yours for all projects")
    .option("--local", "in your own settings of this project (Claude Code)")
    .option("--observe", "only record what the guardian would have done")
    .option("--status-line", "also show cost and guardian below the prompt (Claude Code)")
    .action(async (names: readonly string[], options: AttachOptions) => {
      const { attachCommand } = await import("./attach-command.ts");
      setExitCode(await attachCommand(names, options, io));
    });
  attach
    .command("status")
    .description("what is attached, when each hook last fired, how long it took, and what it said")
    .option("--json", "print one JSON document")
    .action(async (options: StatusOptions, _: Command) => {
      const { statusCommand } = await import("./status-command.ts");
      setExitCode(await statusCommand(options, io));
    });
};

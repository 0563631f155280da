import type { CommandDefinition } from "../command-definition.ts";
import type { HookOptions } from "./hook-command.ts";

/** `sheepdog hook`. The built program answers most events without this command: see bin/sheepdog.js. */
export const hookDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("hook")
    .description("answer a hook of a coding agent: event on stdin, answer on stdout; the agent's settings start it")
    .argument("<agent>", "the agent that starts it: claude-code, codex, gemini-cli, cursor, opencode")
    .option("--observe", "only record what would be said, refused or stopped")
    .action(async (agent: string, options: HookOptions) => {
      const { hookCommand } = await import("./hook-command.ts");
      setExitCode(await hookCommand(agent, options, io));
    });
};

import type { CommandDefinition } from "../command-definition.ts";

/** `sheepdog status-line`. */
export const statusLineDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("status-line")
    .description("print a line for Claude Code's status line: cost, guardian, last message; its settings start it")
    .action(async () => {
      const { statusLineCommand } = await import("./status-line-command.ts");
      setExitCode(await statusLineCommand(io));
    });
};

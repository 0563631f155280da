import type { CommandDefinition } from "../command-definition.ts";
import type { ShowOptions } from "./show-command.ts";

/** `sheepdog show`. */
export const showDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("show")
    .description("tell a run from its prompt to its end: turns, calls, what the guardian saw and said, costs")
    .argument("[run]", "the id of a run or a session, the beginning of one, or last", "last")
    .option("--full", "show thinking and more of each output, and each call by itself")
    .option("--json", "print one JSON document")
    .action(async (id: string, options: ShowOptions) => {
      const { showCommand } = await import("./show-command.ts");
      setExitCode(await showCommand(id, options, io));
    });
};

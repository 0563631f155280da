import type { CommandDefinition } from "../command-definition.ts";

/** `sheepdog stop`. */
export const stopDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("stop")
    .description("end a run of another process in good order")
    .argument("<run>", "the id of a run or a session, the beginning of one, or last")
    .action(async (id: string) => {
      const { stopCommand } = await import("./stop-command.ts");
      setExitCode(await stopCommand(id, io));
    });
};

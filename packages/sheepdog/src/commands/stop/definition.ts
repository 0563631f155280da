import type { Door } from "../command-definition.ts";

/** `sheepdog stop`. */
export const stopDoor: Door = (program, { io, end }) => {
  program
    .command("stop")
    .description("end a run of another process in good order")
    .argument("<run>", "the id of a run or a session, the beginning of one, or last")
    .action(async (id: string) => {
      const { stopCommand } = await import("./stop-command.ts");
      end(await stopCommand(id, io));
    });
};

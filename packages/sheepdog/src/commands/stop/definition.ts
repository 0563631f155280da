import type { CommandDefinition } from "../command-definition.ts";

/** `sheepdog stop`. */
export const stopDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("stop")
    .description("stop a run of another process cleanly")
    .argument("<run>", "id of a run or session, the start of an id, or last for the newest run that is running")
    .action(async (id: string) => {
      const { stopCommand } = await import("./stop-command.ts");
      setExitCode(await stopCommand(id, io));
    });
};

import type { CommandDefinition } from "../command-definition.ts";
import type { DoctorOptions } from "./doctor-command.ts";

/** `sheepdog doctor`. */
export const doctorDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("doctor")
    .description("look whether everything is in order: configuration, keys, database, model, terminal")
    .option("--online", "ask the provider whether it answers and takes the key")
    .option("--json", "print one JSON document: schemaVersion, ok, checks (name, status, sentence, fix)")
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import("./doctor-command.ts");
      setExitCode(await doctorCommand(options, io));
    });
};

import type { CommandDefinition } from "../command-definition.ts";
import type { DoctorOptions } from "./doctor-command.ts";

/** `sheepdog doctor`. */
export const doctorDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("doctor")
    .description("check the installation: configuration, keys, database, model, terminal")
    .option("--online", "also ask the provider whether it accepts the key")
    .option("--json", "print one JSON document: schemaVersion, ok, checks (name, status, sentence, fix)")
    .action(async (options: DoctorOptions) => {
      const { doctorCommand } = await import("./doctor-command.ts");
      setExitCode(await doctorCommand(options, io));
    });
};

import { Option } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { DoctorOptions } from "./doctor-command.ts";

/** `sheepdog doctor`. */
export const doctorDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("doctor")
    .description("check the installation: configuration, keys, database, model, terminal")
    .option("--online", "also ask the provider whether it accepts the key")
    .option("--json", "print one JSON document: schemaVersion, ok, checks (name, status, sentence, fix)")
    .addOption(
      new Option(
        "--rebuild",
        "move a damaged database aside, and build a new one from what can be read of it and the run logs",
      ).conflicts(["json", "online"]),
    )
    .action(async ({ rebuild, ...options }: DoctorOptions & { readonly rebuild?: boolean }) => {
      if (rebuild) {
        const { rebuildCommand } = await import("./rebuild-command.ts");
        setExitCode(await rebuildCommand(io));
        return;
      }
      const { doctorCommand } = await import("./doctor-command.ts");
      setExitCode(await doctorCommand(options, io));
    });
};

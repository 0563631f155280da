import type { CommandDefinition } from "../command-definition.ts";
import type { SetOptions } from "./set-command.ts";
import type { ShowOptions } from "./show-command.ts";
import type { TrustOptions } from "./trust-command.ts";

/** `sheepdog config`. */
export const configDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  const config = program
    .command("config")
    .description("show and change the configuration")
    .helpCommand("help [command]", "print the help of a command");
  config
    .command("show")
    .description("print the whole configuration")
    .option("--origin", "print where each value comes from")
    .option("--json", "print one JSON document")
    .action(async (options: ShowOptions) => {
      const { showCommand } = await import("./show-command.ts");
      setExitCode(await showCommand(options, io));
    });
  config
    .command("get")
    .description("print one value")
    .argument("<key>", "e.g. agent.max_turns, or a section")
    .option("--json", "print the value as JSON")
    .action(async (key: string, options: { readonly json?: true }) => {
      const { getCommand } = await import("./get-command.ts");
      setExitCode(await getCommand(key, options, io));
    });
  config
    .command("set")
    .description("set a key in your configuration file; comments stay")
    .argument("<key>", "e.g. agent.max_turns")
    .argument("<value>", "e.g. 40; lists as a,b or as TOML")
    .option("--project", "change sheepdog.toml of this folder instead")
    .action(async (key: string, value: string, options: SetOptions) => {
      const { setCommand } = await import("./set-command.ts");
      setExitCode(await setCommand(key, value, { ...options, io }));
    });
  config
    .command("unset")
    .description("remove a key from your configuration file")
    .argument("<key>", "e.g. agent.max_turns")
    .option("--project", "change sheepdog.toml of this folder instead")
    .action(async (key: string, options: SetOptions) => {
      const { unsetCommand } = await import("./set-command.ts");
      setExitCode(await unsetCommand(key, { ...options, io }));
    });
  config
    .command("trust")
    .description("review what a project file changes, and trust its current content")
    .argument("[file]", "default: sheepdog.toml of this folder")
    .option("-y, --yes", "do not ask")
    .option("--revoke", "stop trusting the file")
    .action(async (file: string | undefined, options: TrustOptions) => {
      const { trustCommand } = await import("./trust-command.ts");
      setExitCode(await trustCommand(file, options, io));
    });
  config
    .command("schema")
    .description("print the JSON schema of the configuration file, for editors")
    .option("--goal", "print that of a goal file for run --goal instead")
    .action(async (options: { readonly goal?: true }) => {
      const { schemaCommand } = await import("./schema-command.ts");
      setExitCode(await schemaCommand(options, io));
    });
};

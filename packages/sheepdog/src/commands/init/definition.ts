import type { CommandDefinition } from "../command-definition.ts";
import type { InitOptions } from "./init-command.ts";

/** `sheepdog init`. */
export const initDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("init")
    .description("write a configuration to begin with")
    .option("-y, --yes", "ask nothing: take what is found")
    .option("--project", "write ./sheepdog.toml, for this project, instead of your own file")
    .option("--provider <name>", "whose model: anthropic, openai, google, openrouter, ollama …")
    .option("--model <id>", "the model's name at its provider")
    .option("--force", "replace a file that is there already")
    .action(async (options: InitOptions) => {
      const { initCommand } = await import("./init-command.ts");
      setExitCode(await initCommand(options, io));
    });
};

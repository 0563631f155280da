import type { CommandDefinition } from "../command-definition.ts";
import type { InitOptions } from "./init-command.ts";

/** `sheepdog init`. */
export const initDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("init")
    .description("create a configuration file")
    .option("-y, --yes", "ask nothing: use what is found")
    .option("--project", "create ./sheepdog.toml for this project instead of your own file")
    .option("--provider <name>", "provider of the model: anthropic, openai, google, openrouter, ollama …")
    .option("--model <id>", "name of the model at its provider")
    .option("--base-url <url>", "address of the server, for openai-compatible, a proxy or a gateway")
    .option("--force", "replace an existing file")
    .action(async (options: InitOptions) => {
      const { initCommand } = await import("./init-command.ts");
      setExitCode(await initCommand(options, io));
    });
};

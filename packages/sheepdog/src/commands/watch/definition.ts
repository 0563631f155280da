import type { CommandDefinition } from "../command-definition.ts";
import type { WatchOptions } from "./watch-command.ts";

/** `sheepdog watch`. */
export const watchDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("watch")
    .description("start a coding agent with the guardian beside it, for this one run; its settings stay as they are")
    .argument("<program>", "claude, codex, gemini or opencode, or a path of one, after --")
    .argument("[arguments...]", "its own arguments")
    .option("--observe", "only record what the guardian would have done")
    .passThroughOptions()
    .action(async (name: string, args: readonly string[], options: WatchOptions) => {
      const { watchCommand } = await import("./watch-command.ts");
      setExitCode(await watchCommand([name, ...args], options, io));
    });
};

import type { Command } from "commander";
import type { CommandDefinition } from "../../command-definition.ts";
import { addInputOptions, type InputOptions } from "../input-options.ts";
import type { WatchCommandOptions } from "./watch-command.ts";

/** Adds `sheepdog analyze watch`. */
export function addWatch(analyze: Command, { io, setExitCode }: Parameters<CommandDefinition>[1]): void {
  const watch = analyze
    .command("watch")
    .description("follow the recordings of running agents, and say when the guardian would speak")
    .argument("[paths...]", "recordings or folders of them; without any, those of all agents here")
    .option("--no-bell", "do not ring the bell of the terminal")
    .option("--no-channels", "do not send messages to the configured channels")
    .option("--json", "print one JSON object per line");
  addInputOptions(watch).action(async (paths: string[], options: WatchCommandOptions) => {
    const { watchCommand } = await import("./watch-command.ts");
    setExitCode(await watchCommand(paths, { ...analyze.opts<InputOptions>(), ...options }, io));
  });
}

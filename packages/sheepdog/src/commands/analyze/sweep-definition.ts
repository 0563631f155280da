import { type Command, Option } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import { addInputOptions, type InputOptions } from "./input-options.ts";
import { type SweepOptions, sweepKinds } from "./sweep-options.ts";

/** Adds `sheepdog analyze sweep`. */
export function addSweep(analyze: Command, { io, setExitCode }: Parameters<CommandDefinition>[1]): void {
  const sweep = analyze
    .command("sweep")
    .description("compare limits: what each would have saved, and which good runs it would have stopped")
    .argument("[paths...]", "recordings, folders of them, or - for stdin; without any, those of all agents here")
    .addOption(
      new Option("--by <what>", "limit equal calls, the cost or the turns of a run (default: calls)").choices(
        sweepKinds,
      ),
    )
    .option("--limit <n>", "print the configuration that sets this limit")
    .option("--json", "print one JSON document");
  addInputOptions(sweep).action(async (paths: string[], options: SweepOptions) => {
    const { sweepCommand } = await import("./sweep-command.ts");
    setExitCode(await sweepCommand(paths, { ...analyze.opts<InputOptions>(), ...options }, io));
  });
}

import { fileURLToPath } from "node:url";
import { type RecordedRun, readRecordings } from "@sheepdog/records";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { packageRoot } from "../package-root.ts";
import { plainText } from "../terminal/plain-text.ts";
import { wrap } from "../terminal/wrap.ts";
import { watchOn } from "./audience.ts";
import { epilogue } from "./epilogue.ts";
import { type Played, playRecording } from "./play-recording.ts";
import { onStage } from "./stage.ts";

/** The options of `sheepdog demo`. */
export interface DemoOptions {
  readonly fast?: true;
}

const recordings = new URL("recordings/", packageRoot);
const program = ["recovers.jsonl", "insists.jsonl"];

/** Plays the recordings that ship with the package through the guardian, to be watched. */
export async function demoCommand(options: DemoOptions, io: Io): Promise<number> {
  const runs = await readShipped();
  const ending = await onStage(io, options.fast ?? false, async (stage) => {
    const all: Played[] = [];
    for (const [index, run] of runs.entries()) {
      const title = `${index + 1}/${runs.length}  ${plainText(run.task ?? run.id)}`;
      await stage.print(...(index === 0 ? [] : [""]), ...wrap(title, stage.width).map(stage.style.bold));
      all.push(await playRecording(run, watchOn(stage)));
      await stage.pause(600);
    }
    await stage.print(...epilogue(all, recordings, stage));
  });
  return ending === "finished" ? exitCode.done : exitCode.interrupted;
}

async function readShipped(): Promise<RecordedRun[]> {
  const runs: RecordedRun[] = [];
  for await (const item of readRecordings(program.map((name) => fileURLToPath(new URL(name, recordings))))) {
    if (item.type === "skipped") throw new Error(`A recording that ships with this package cannot be read: ${item.skipped.file}: ${item.skipped.why}`);
    runs.push(item.run);
  }
  return runs;
}

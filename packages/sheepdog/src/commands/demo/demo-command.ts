import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { openDemoHome } from "./demo-home.ts";
import { epilogue } from "./epilogue.ts";
import { type Played, playStory } from "./play-story.ts";
import { comesRound } from "./recovering-story.ts";
import { onStage, type Stage } from "./stage.ts";
import type { Story } from "./story.ts";
import { demoPrice, unbilledStores } from "./unbilled-stores.ts";
import { willNotListen } from "./unresponsive-story.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

/** The options of `sheepdog demo`. */
export interface DemoOptions {
  readonly fast?: true;
}

const stories: readonly Story[] = [comesRound, willNotListen];

/** Lets two agents work in the real runtime, to be watched: one that comes round, and one that is ended. */
export async function demoCommand(options: DemoOptions, io: Io): Promise<number> {
  const workshop = await openWorkshop(io.env).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (typeof workshop === "string") {
    await writeMessage(io, `the demo needs a folder for its files, and none can be made (${workshop})`);
    return exitCode.failed;
  }
  try {
    let all: readonly Played[] = [];
    const interrupted = await onStage(io, options.fast ?? false, async (stage) => {
      all = await playAll(stage, workshop, io);
    });
    if (interrupted !== undefined) return interrupted === "SIGINT" ? exitCode.interrupted : exitCode.terminated;
    const odd = all.find(({ story, result }) => !story.isAsMeant(result))?.result;
    if (odd === undefined) return exitCode.done;
    await writeMessage(io, `the demo did not go as it should: ${plainText(odd.problem ?? odd.text)}`);
    return exitCode.failed;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    await writeMessage(io, `the demo cannot go on (${plainText(error.message)})`); // the system refuses: a disk that is full, a folder that is gone
    return exitCode.failed;
  } finally {
    await workshop.remove();
  }
}

async function playAll(stage: Stage, workshop: Workshop, io: Io): Promise<readonly Played[]> {
  const { home, stores, isKept, notes } = await openDemoHome(resolveHome(io.env), workshop.dir);
  try {
    for (const note of notes) await writeMessage(io, note);
    const price = await demoPrice();
    const all: Played[] = [];
    for (const [place, story] of stories.entries()) {
      const title = plainLines(`${place + 1}/${stories.length} ${story.title}`, stage.width).map(stage.style.bold);
      await stage.print(...(place === 0 ? [] : [""]), ...title);
      const workspace = await workshop.project(story);
      const played = await playStory(story, {
        stage,
        workspace,
        stores: unbilledStores(stores),
        logDir: home.logDir,
        price,
      });
      all.push(played);
      if (stage.signal.aborted || !story.isAsMeant(played.result)) return all;
    }
    await stage.print(...epilogue(all, stage, { env: io.env, keptIn: isKept ? home.dir : undefined }));
    return all;
  } finally {
    await stores.close();
  }
}

import { existsSync } from "node:fs";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { createDemoFolder, type DemoFolder } from "./demo-folder.ts";
import { openDemoHome } from "./demo-home.ts";
import { demoPrice } from "./demo-price.ts";
import { type DemoScreen, withDemoScreen } from "./demo-screen.ts";
import { demoSummary } from "./demo-summary.ts";
import { playStory, type StoryOutcome } from "./play-story.ts";
import { recoveringStory } from "./recovering-story.ts";
import type { Story } from "./story.ts";
import { unbilledStores } from "./unbilled-stores.ts";
import { unresponsiveStory } from "./unresponsive-story.ts";

/** The options of `sheepdog demo`. */
export interface DemoOptions {
  readonly fast?: true;
  readonly web?: true;
}

const stories: readonly Story[] = [recoveringStory, unresponsiveStory];

/** Runs two scripted agents in the real runtime: one recovers, one is stopped. */
export async function demoCommand(options: DemoOptions, io: Io): Promise<number> {
  const folder = await createDemoFolder(io.env).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (typeof folder === "string") {
    await writeMessage(io, `the demo cannot create a temporary folder (${folder})`);
    return exitCode.failed;
  }
  try {
    let outcomes: readonly StoryOutcome[] = [];
    const signal = await withDemoScreen(io, options.fast ?? false, async (screen) => {
      outcomes = await playStories(screen, folder, io);
    });
    if (signal !== undefined) return signal === "SIGINT" ? exitCode.interrupted : exitCode.terminated;
    const unexpected = outcomes.find(({ story, result }) => !story.isExpected(result))?.result;
    if (unexpected === undefined) return options.web ? await openLastPage(outcomes, io) : exitCode.done;
    await writeMessage(io, `the demo failed: ${plainText(unexpected.problem ?? unexpected.text)}`);
    return exitCode.failed;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    await writeMessage(io, `the demo failed (${plainText(error.message)})`); // e.g. the disk is full
    return exitCode.failed;
  } finally {
    await folder.remove();
  }
}

/** Opens the page of the last run. It waits until the server is interrupted, unless one is running already. */
async function openLastPage(outcomes: readonly StoryOutcome[], io: Io): Promise<number> {
  const { openRunPage } = await import("../../server/open-run-page.ts");
  return openRunPage(outcomes.at(-1)?.result.runId ?? "", io);
}

async function playStories(screen: DemoScreen, folder: DemoFolder, io: Io): Promise<readonly StoryOutcome[]> {
  const { home, stores, isUserHome, notes } = await openDemoHome(resolveHome(io.env), folder.dir);
  try {
    for (const note of notes) await writeMessage(io, note);
    const context = { screen, stores: unbilledStores(stores), logDir: home.logDir, price: await demoPrice() };
    const outcomes: StoryOutcome[] = [];
    for (const [index, story] of stories.entries()) {
      const title = plainLines(`${index + 1}/${stories.length} ${story.title}`, screen.width).map(screen.style.bold);
      await screen.print(...(index === 0 ? [] : [""]), ...title);
      const outcome = await playStory(story, { ...context, workspace: await folder.createProject(story) });
      outcomes.push(outcome);
      if (screen.signal.aborted || !story.isExpected(outcome.result)) return outcomes;
    }
    const savedIn = isUserHome ? home.dir : undefined;
    const isConfigured = existsSync(resolveHome(io.env).configFile);
    await screen.print(...demoSummary(outcomes, screen, { env: io.env, savedIn, isConfigured }));
    return outcomes;
  } finally {
    await stores.close();
  }
}

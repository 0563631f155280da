import { delimiter, dirname } from "node:path";
import {
  builtinTools,
  createGate,
  createRuntime,
  type RunResult,
  type RuntimeOptions,
  type Stores,
} from "@sheepdog/agent";
import { createLiveItems } from "@sheepdog/agent/timeline";
import { demoSessionId } from "../../compose/ids.ts";
import { demoItemLines } from "./demo-item-lines.ts";
import type { DemoScreen } from "./demo-screen.ts";
import type { Story } from "./story.ts";
import { storyModel } from "./story-model.ts";

/** What a story needs to be played. */
export interface StoryContext {
  readonly screen: DemoScreen;
  readonly workspace: string;
  readonly stores: Stores;
  readonly logDir: string;
  readonly price: NonNullable<RuntimeOptions["price"]>;
}

/** How a story ended. */
export interface StoryOutcome {
  readonly story: Story;
  readonly result: RunResult;
  /** Calls that ran. */
  readonly ran: number;
  /** Calls that were refused. */
  readonly refused: number;
  readonly lastTurnNanoUsd: number;
}

/** Plays a story in the real runtime: loop, tools, gate, guardian, database and logs. Only the model is scripted. */
export async function playStory(story: Story, context: StoryContext): Promise<StoryOutcome> {
  const { screen, workspace, stores, logDir, price } = context;
  const runtime = createRuntime({
    models: [storyModel(story, screen.isPaced)],
    tools: builtinTools({ workspace, bash: { environment: { PATH: withNode(process.env["PATH"]) } } }),
    workspace,
    system: "You are an agent that works on a small project. Say in a sentence what you do, then do it.",
    gate: createGate({ attended: false }),
    stores,
    price,
    log: { dir: logDir, level: 3 },
  });
  const run = runtime.run(demoSessionId(story.name), story.prompt);
  const cancel = () => run.cancel();
  screen.signal.addEventListener("abort", cancel);
  if (screen.signal.aborted) cancel();
  const items = createLiveItems();
  const calls = { ran: 0, refused: 0 };
  let lastTurnNanoUsd = 0;
  try {
    for await (const event of run) {
      if (event.type === "CostEvent" && event.purpose === undefined) lastTurnNanoUsd = event.costNanoUsd ?? 0;
      for (const item of items.add(event)) {
        if (item.type === "call") calls[item.status === "blocked" ? "refused" : "ran"]++;
        await screen.print(...demoItemLines(item, screen));
      }
    }
    return { story, result: await run.result, ...calls, lastTurnNanoUsd };
  } finally {
    screen.signal.removeEventListener("abort", cancel);
    run.cancel(); // the output may have failed
    await run.result;
  }
}

/** Adds the Node.js of this process to the path, because the agent runs `node`. */
function withNode(path: string | undefined): string {
  return [dirname(process.execPath), ...(path === undefined ? [] : [path])].join(delimiter);
}

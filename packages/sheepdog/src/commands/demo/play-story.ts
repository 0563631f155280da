import { randomBytes } from "node:crypto";
import { delimiter, dirname } from "node:path";
import {
  builtinTools,
  createGate,
  createRuntime,
  type RunResult,
  type RuntimeOptions,
  type Stores,
} from "@sheepdog/agent";
import { liveItems } from "../../render/timeline/live-items.ts";
import { modelOf } from "./model-of.ts";
import { showItem } from "./show-item.ts";
import type { Stage } from "./stage.ts";
import type { Story } from "./story.ts";

/** What a story needs to be played. */
export interface Scene {
  readonly stage: Stage;
  readonly workspace: string;
  readonly stores: Stores;
  readonly logDir: string;
  readonly price: NonNullable<RuntimeOptions["price"]>;
}

/** How a story went. */
export interface Played {
  readonly story: Story;
  readonly result: RunResult;
  readonly ran: number;
  readonly refused: number;
  /** What its last turn did cost. */
  readonly lastTurnNanoUsd: number;
}

/** Plays a story in the real runtime: its loop, tools, gate, guardian, database and logs. Only the model is written down. */
export async function playStory(story: Story, { stage, workspace, stores, logDir, price }: Scene): Promise<Played> {
  const runtime = createRuntime({
    models: [modelOf(story, stage.isPaced)],
    tools: builtinTools({ workspace, bash: { environment: { PATH: withNode(process.env["PATH"]) } } }),
    workspace,
    system: "You are an agent that works on a small project. Say in a sentence what you do, then do it.",
    gate: createGate({ attended: false }),
    stores,
    price,
    log: { dir: logDir, level: 3 },
  });
  const run = runtime.run(`ses_demo_${story.name}_${randomBytes(4).toString("hex")}`, story.prompt);
  const stop = () => run.cancel();
  stage.signal.addEventListener("abort", stop);
  if (stage.signal.aborted) stop();
  const items = liveItems();
  const calls = { ran: 0, refused: 0 };
  let lastTurnNanoUsd = 0;
  try {
    for await (const event of run) {
      if (event.type === "CostEvent") lastTurnNanoUsd = event.costNanoUsd ?? 0;
      for (const item of items.add(event)) {
        if (item.type === "call") calls[item.status === "blocked" ? "refused" : "ran"]++;
        await stage.print(...showItem(item, stage));
      }
    }
    return { story, result: await run.result, ...calls, lastTurnNanoUsd };
  } finally {
    stage.signal.removeEventListener("abort", stop);
    run.cancel(); // where the output cannot be written, nobody is left to watch
    await run.result;
  }
}

/** The agent calls `node` by its name: the one that runs here, wherever it is. */
function withNode(path: string | undefined): string {
  return [dirname(process.execPath), ...(path === undefined ? [] : [path])].join(delimiter);
}

import type { AgentEvent, Run, RunResult } from "@sheepdog/agent";
import type { Item } from "../../render/timeline/item.ts";
import { createLiveItems } from "../../render/timeline/live-items.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import type { ChatAction } from "./state/chat-action.ts";
import type { UsageMeter } from "./state/chat-state.ts";

/** About 15 times a second: as often as anybody reads. */
const TELL_MS = 66;

/** Tells what happens in a run, several events at a time, until it is over. Gives back how to tell at once. */
export interface RunFollower {
  readonly result: Promise<RunResult>;
  flush(): void;
}

/** Follows a run from its first event on. */
export function followRun(run: Run, tell: (action: ChatAction) => void): RunFollower {
  const items = createLiveItems();
  const isNew = createRepeatFilter();
  let finished: Item[] = [];
  let meter: Partial<UsageMeter> = {};
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const action: ChatAction = { type: "progress", items: finished, live: items.live, meter };
    finished = [];
    meter = {};
    tell(action);
  };
  const hear = (event: AgentEvent) => {
    finished.push(...items.add(event).filter(isNew));
    meter = { ...meter, ...measured(event) };
    if (event.type === "LimitChanged") {
      const { limit, warn, stop } = event;
      tell({
        type: "limit-changed",
        limit,
        to: { ...(warn === undefined ? {} : { warn }), ...(stop === undefined ? {} : { stop }) },
      });
    }
    timer ??= setTimeout(flush, TELL_MS);
  };
  const follow = async (): Promise<RunResult> => {
    let isEndTold = false;
    for await (const event of run) {
      hear(event);
      isEndTold ||= event.type === "RunComplete" || event.type === "RunError";
    }
    const result = await run.result;
    if (!isEndTold) finished.push({ type: "end", result });
    flush();
    return result;
  };
  return { result: follow(), flush };
}

/** What an event says about tokens and money. */
function measured(event: AgentEvent): Partial<UsageMeter> {
  switch (event.type) {
    case "UsageUpdate":
      return { tokens: event.total.input + event.total.output, contextTokens: event.usage.input + event.usage.output };
    case "CostEvent":
      return { runNanoUsd: event.totalNanoUsd };
    default:
      return {};
  }
}

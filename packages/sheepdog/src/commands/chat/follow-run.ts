import type { AgentEvent, Run, RunResult } from "@sheepdog/agent";
import { createLiveItems, type Item } from "@sheepdog/agent/timeline";
import { withDiff } from "../../render/diff/call-diff.ts";
import { createRepeatFilter } from "../../render/timeline/repeat-filter.ts";
import type { ChatAction } from "./state/chat-action.ts";
import type { UsageMeter } from "./state/chat-state.ts";

/** About 15 updates per second. */
const UPDATE_MS = 66;

/** Follows a run until its end. */
export interface RunFollower {
  readonly result: Promise<RunResult>;
  /** Dispatches all events so far at once. */
  flush(): void;
}

/** Dispatches the events of a run, several at a time. */
export function followRun(run: Run, dispatch: (action: ChatAction) => void): RunFollower {
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
    dispatch(action);
  };
  const onEvent = async (event: AgentEvent) => {
    const completed = items.add(event);
    if (event.type === "UserMessage") return; // the chat showed it when it was sent
    for (const item of completed.filter(isNew)) {
      const shown = await withDiff(item);
      finished.push(shown); // not before the await: a flush in the meantime starts a new list
    }
    meter = { ...meter, ...usageIn(event) };
    if (event.type === "LimitChanged") {
      const { limit, warn, stop } = event;
      dispatch({
        type: "limit-changed",
        limit,
        to: { ...(warn === undefined ? {} : { warn }), ...(stop === undefined ? {} : { stop }) },
      });
    }
    timer ??= setTimeout(flush, UPDATE_MS);
  };
  const follow = async (): Promise<RunResult> => {
    let hasEndEvent = false;
    for await (const event of run) {
      await onEvent(event);
      hasEndEvent ||= event.type === "RunComplete" || event.type === "RunError";
    }
    const result = await run.result;
    if (!hasEndEvent) finished.push({ type: "end", result, seq: 0, at: Date.now() });
    flush();
    return result;
  };
  return { result: follow(), flush };
}

/** The tokens and costs in an event. */
function usageIn(event: AgentEvent): Partial<UsageMeter> {
  switch (event.type) {
    case "UsageUpdate": {
      const tokens = event.total.input + event.total.output;
      // An internal request says nothing about the size of the conversation.
      return event.purpose === undefined
        ? { tokens, contextTokens: event.usage.input + event.usage.output }
        : { tokens };
    }
    case "CostEvent":
      return { runNanoUsd: event.totalNanoUsd };
    default:
      return {};
  }
}

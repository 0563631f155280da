import type { Item } from "../../render/timeline/item.ts";
import { spentBy } from "../../render/timeline/spent-words.ts";
import { runDocument } from "../../saved-runs/run-document.ts";
import type { Shown } from "./show-text.ts";

/**
 * A run in JSON. `run` is as in `runs --json`, with what came of it in `text`. `turns` says what each turn cost. `items` is the timeline, nothing collapsed:
 * prompt, text, thinking, call (with input, status, content, ms), guardian (the intervention with `heeded` and `recovered`), recovered, note, end.
 * Turns and calls are counted from 0; an intervention's `evidence` are places among all calls of the session.
 */
export function showDocument({ kept, items, costs, heedOf, here }: Shown): Readonly<Record<string, unknown>> {
  return {
    schemaVersion: 1,
    run: { ...runDocument(kept, here), text: kept.run.text ?? null },
    turns: [...costs].map(([turn, costNanoUsd]) => ({ turn, costUsd: usd(costNanoUsd) })),
    items: items.map((item) => itemDocument(item, heedOf)),
  };
}

function itemDocument(item: Item, heedOf: Shown["heedOf"]): Readonly<Record<string, unknown>> {
  if (item.type === "end") {
    const { state, reason, exitCode, text, problem = null, turns, usage } = item.result;
    return {
      type: item.type,
      state,
      reason,
      exitCode,
      text,
      problem,
      turns,
      usage,
      costUsd: usd(spentBy(item.result)),
    };
  }
  if (item.type !== "guardian") return { ...item };
  const { costNanoUsd, ...intervention } = item.intervention;
  const cost = costNanoUsd === undefined ? {} : { costUsd: usd(costNanoUsd) };
  return { type: item.type, turn: item.turn, intervention: { ...intervention, ...cost }, ...heedOf(item.intervention) };
}

function usd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}

import type { Item } from "@sheepdog/agent/timeline";
import { totalCostNanoUsd } from "../../render/timeline/run-cost.ts";
import { isoTime, runDocument } from "../../saved-runs/run-document.ts";
import { graphDocument } from "./graph-document.ts";
import type { RunDetails } from "./show-text.ts";

/**
 * A run as JSON. `run` is as in `runs --json`, with the answer in `text`. `turns` has the cost of each turn. `graphs`
 * has the plans of a director. `items` is the whole timeline: prompt, text, thinking, call (with input, status,
 * content, ms), guardian (the intervention with `followed` and `recovered`), opinion (with question, verdict, advice),
 * verdict (of the judge), goal (its evaluation), plan, recovered, note, end; each with `seq` and `at` of the event that
 * it began with. Turns and calls count from 0; the `evidence` of an intervention holds indexes into all calls of the
 * session.
 */
export function showDocument(details: RunDetails): Readonly<Record<string, unknown>> {
  const { savedRun, items, costs, graphs, effectOf, here, recorded } = details;
  // A recording without an outcome just ends.
  const state = recorded?.outcome === null ? { state: "unknown" } : {};
  return {
    schemaVersion: 1,
    run: { ...runDocument(savedRun, here), ...state, text: savedRun.run.text ?? null },
    turns: [...costs].map(([turn, costNanoUsd]) => ({ turn, costUsd: usd(costNanoUsd) })),
    graphs: graphs.map(graphDocument),
    items: items.map((item) => ({
      ...itemDocument(item, effectOf),
      seq: item.seq,
      at: isoTime(item.at),
    })),
  };
}

function itemDocument(item: Item, effectOf: RunDetails["effectOf"]): Readonly<Record<string, unknown>> {
  if (item.type === "end") {
    const { state, reason, exitCode, text, problem = null, turns, usage } = item.result;
    const costUsd = usd(totalCostNanoUsd(item.result));
    return { type: item.type, state, reason, exitCode, text, problem, turns, usage, costUsd };
  }
  if (item.type === "call") {
    const { details: _, ...call } = item; // each tool has its own: they are no part of the contract
    return call;
  }
  if (item.type === "opinion" || item.type === "verdict") {
    const { costNanoUsd: nanoUsd, ...answer } = item;
    return { ...answer, ...(nanoUsd === undefined ? {} : { costUsd: usd(nanoUsd) }) };
  }
  if (item.type !== "guardian") return { ...item };
  const { costNanoUsd, ...intervention } = item.intervention;
  const cost = costNanoUsd === undefined ? {} : { costUsd: usd(costNanoUsd) };
  return {
    type: item.type,
    turn: item.turn,
    intervention: { ...intervention, ...cost },
    ...effectOf(item.intervention),
  };
}

function usd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}

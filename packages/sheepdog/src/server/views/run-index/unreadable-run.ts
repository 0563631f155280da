import type { SessionSummary } from "@sheepdog/agent";
import type { RunRow } from "@sheepdog/web/contract";
import { safeText } from "../../../render/terminal/safe-text.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import type { RunSummary } from "../../../saved-runs/run-summary.ts";
import { say } from "../../../sentences/say.ts";
import { shortened } from "../../../sentences/shortened.ts";
import { savedRunData } from "../run-data/run-data.ts";
import { runRow } from "./run-row.ts";

/** The last run of a session that cannot be read, from the list of sessions: the other runs are listed all the same. */
export function unreadableRun(
  { sessionId, lastRun }: SessionSummary,
  error: unknown,
): { readonly row: RunRow; readonly summary: RunSummary } | undefined {
  if (lastRun === undefined) return undefined;
  const state = isLive(lastRun.state) ? "broken_off" : lastRun.state;
  const summary: RunSummary = {
    sessionId,
    run: lastRun,
    state,
    turns: lastRun.turns,
    costNanoUsd: lastRun.costNanoUsd,
    interventions: { count: 0, highest: undefined, questions: 0 },
    ended: {},
    limits: {},
    isLast: false, // it cannot be resumed
    subagents: [],
    isDemo: false,
  };
  const saved = { messages: [], unansweredCalls: [], runs: [lastRun], lastSeq: 0 };
  const why = shortened(safeText(error instanceof Error ? error.message : String(error)), 200);
  const row = runRow(savedRunData(summary, { saved, events: [], unreadable: 0 }));
  return { row: { ...row, sentence: say`This run cannot be read: ${why}`, canFork: false }, summary };
}

import { newRunMeters } from "../limits/meters.ts";
import { type LimitName, runLimits } from "../policy/limit.ts";
import type { Draft } from "../state/draft.ts";
import { noSubagents } from "../state/subagents.ts";

/** Starts another run, with its own tokens, money, turns, time and subagents. */
export function startNewRun(state: Draft): void {
  state.findings = [];
  state.limits = newRunMeters(state.limits);
  state.userLimits = Object.fromEntries(
    Object.entries(state.userLimits).filter(([name]) => !runLimits.includes(name as LimitName)), // the keys are limits
  );
  state.isPriced = true;
  state.clock.workMs = 0;
  state.runTurns = 0;
  state.subagents = [];
  state.subagentTotals = noSubagents;
  state.chantCount = 0;
  state.textReplies = [];
  state.refusedAnswers = [];
  state.isNudged = false;
}

import { isWrite } from "../perceive/tool-kind.ts";
import type { UncomparedCall } from "../state/observation.ts";
import { type Between, isWaiting } from "./discount.ts";
import { type Evidence, isShortMove } from "./evidence.ts";

/** An agent that looks again after this time is waiting for something. */
const WAITING_MS = 30_000;

/**
 * Whether a repetition leaves no doubt, so that force may be used: nothing in between may have been meant to mend a
 * failure or be the reason to act again, there was no wait before looking again, and the answer shows that nothing
 * moved. A command that fails is no look: however long it takes, and however long the model thinks, it fails again.
 */
export function isExactRepetition(evidence: Evidence, newest: UncomparedCall, between: Between): boolean {
  const { isSameCall, isOutcomeEqual, isFailure } = evidence;
  if (!isSameCall || !isOutcomeEqual || isShortMove(newest)) return false;
  if (isWrite(newest.kind) && !isFailure) return between.otherNews === 0;
  if (isFailure && !isWaiting(newest)) return between.attempts === 0;
  return between.longestGapMs < WAITING_MS && (!isFailure || between.attempts === 0);
}

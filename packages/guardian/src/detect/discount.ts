import { isWrite } from "../perceive/tool-kind.ts";
import type { Observation, Trace, UncomparedCall } from "../state/observation.ts";
import { compareArguments, type Evidence, isBareAck } from "./evidence.ts";

/** Evidence below this is no repetition: the call is novel. */
export const NOVEL = 0.4;

const POLL_GAP_MS = 10_000;
/** A pause that is more than thinking: the agent waits before it looks again. */
const LOOK_GAP_MS = 90_000;
const BACK_OFF_MS = 3_000;

/** The factor of each event between an earlier call and the newest. */
const PERSON = 0.5;
const WAIT = 0.2;
const CHANGE_BEFORE_FAILURE = 0.5;
const CHANGE_BEFORE_ABSENCE = 0.6;
const CHANGE = 0.3;
const NEWS = 0.4;

/** Counts what lies between an earlier call and the newest, while the history is walked backwards. */
export interface Between {
  /** Novel writes about something else. */
  changes: number;
  /** Novel successes. */
  news: number;
  /** Novel successes of other calls. */
  otherNews: number;
  /** Successes that may have changed something. */
  attempts: number;
  waits: number;
  /** When the same call was made next, and the longest time between two of them. */
  nextEqualAtMs: number;
  longestGapMs: number;
}

/** Nothing lies between the newest call and the one before it, except the wait of a back-off. */
export function startBetween(history: readonly Observation[], newest: UncomparedCall): Between {
  return {
    changes: 0,
    news: 0,
    otherNews: 0,
    attempts: 0,
    waits: isBackOff(history, newest) ? 1 : 0,
    nextEqualAtMs: newest.atMs,
    longestGapMs: 0,
  };
}

/** A failure that is retried after almost twice the last distance or more. */
function isBackOff(history: readonly Observation[], newest: UncomparedCall): boolean {
  if (newest.outcome.failure === undefined) return false;
  const [first, second] = history.filter((earlier) => earlier.call.exact === newest.call.exact).slice(-2);
  if (first === undefined || second === undefined) return false;
  const gapMs = newest.atMs - second.atMs;
  return gapMs >= BACK_OFF_MS && gapMs >= 1.8 * (second.atMs - first.atMs);
}

/**
 * Counts the wait since `earlier`, if it is the same call: some seconds for a poll or a retry of something overloaded,
 * longer for anything else.
 */
export function countWait(between: Between, earlier: Observation, newest: UncomparedCall): void {
  if (earlier.call.exact !== newest.call.exact) return;
  const gapMs = between.nextEqualAtMs - earlier.atMs;
  if (gapMs >= (isWaiting(newest) ? POLL_GAP_MS : LOOK_GAP_MS)) between.waits++;
  between.longestGapMs = Math.max(between.longestGapMs, gapMs);
  between.nextEqualAtMs = earlier.atMs;
}

/** A poll, or a retry of something overloaded. */
export function isWaiting({ kind, outcome }: UncomparedCall): boolean {
  return kind === "poll" || kind === "wait" || outcome.complaint === "rate-limit";
}

/** Counts `earlier` itself, for the calls before it. */
export function countBetween(between: Between, earlier: Observation, newest: UncomparedCall): void {
  if (isChange(earlier) && isUnrelated(earlier, newest)) between.changes++;
  if (isNews(earlier)) between.news++;
  if (isNews(earlier) && isUnrelated(earlier, newest)) between.otherNews++;
  if (isAttempt(earlier)) between.attempts++;
  if (earlier.kind === "wait" && earlier.outcome.failure === undefined && earlier.turn !== newest.turn) between.waits++;
}

/** About something else. A loop's own writes do not excuse it, nor does one more message to the same address. */
function isUnrelated(earlier: Observation, newest: UncomparedCall): boolean {
  if (earlier.tool !== newest.tool) return true;
  if (earlier.kind === "send" && earlier.call.target === newest.call.target) return false;
  return compareArguments(earlier, newest) < 0.4;
}

/** A success that may have changed something, and that is no exact repetition: a write, or a call of unknown kind. */
function isAttempt({ kind, outcome, likeness }: Observation): boolean {
  return (kind === "unknown" || isWrite(kind)) && outcome.failure === undefined && likeness < 1;
}

/** A novel success that says something about the world. */
export function isNews({ outcome, redundancy, kind }: Observation): boolean {
  return outcome.failure === undefined && redundancy < NOVEL && kind !== "think" && kind !== "wait";
}

/** A novel write that succeeded. */
export function isChange({ kind, outcome, likeness }: Observation): boolean {
  return isWrite(kind) && outcome.failure === undefined && likeness < NOVEL;
}

/** A read that succeeds for the first time since the history was compacted: the model no longer has the answer. */
export function isFirstSinceCompaction(history: readonly Observation[], newest: UncomparedCall): boolean {
  if (newest.compactions === 0 || isWrite(newest.kind) || newest.outcome.failure !== undefined) return false;
  return !history.some(
    (earlier) => earlier.compactions === newest.compactions && earlier.call.loose === newest.call.loose,
  );
}

/** A read that succeeds for the first time since a person's message: the person may have asked for it. */
export function isFirstSinceMessage(history: readonly Observation[], newest: UncomparedCall): boolean {
  if (newest.personTurn === 0 || isWrite(newest.kind) || newest.outcome.failure !== undefined) return false;
  return !history.some(
    (earlier) => earlier.personTurn === newest.personTurn && earlier.call.loose === newest.call.loose,
  );
}

interface DiscountInput {
  readonly newest: UncomparedCall;
  readonly between: Between;
  /** The newest call is the first of its kind since a compaction; since a message of a person. */
  readonly isReread: boolean;
  readonly isAskedFor: boolean;
  /** An equal outcome counts even if it is a bare acknowledgement. */
  readonly leadsNowhere?: boolean;
}

/** What is left of the evidence of a pair, 0 to 1: work, people and waiting in between excuse a repetition. */
export function discountOf(earlier: Observation, evidence: Evidence, input: DiscountInput): number {
  const { newest, between, isReread, isAskedFor } = input;
  if (earlier.isSettled || earlier.scheduledPrompts !== newest.scheduledPrompts || newest.kind === "wait") return 0;
  if (isReread && earlier.compactions !== newest.compactions) return 0;
  if (isAskedFor && earlier.personTurn !== newest.personTurn) return 0;
  const changes = changesFactor(evidence, newest, between.changes);
  const waits = WAIT ** between.waits;
  // Neither a person nor waiting excuses acting again; waiting excuses a retry.
  if (isWrite(newest.kind)) return evidence.isFailure ? changes * waits : changes;
  // "ok" says nothing about what was done. Where something new followed each time, the action had its effect.
  if (isBareAck(newest) && between.news > 0 && !input.leadsNowhere) return NEWS ** between.news;
  return changes * PERSON ** (newest.personTurn - earlier.personTurn) * waits;
}

/**
 * What changes in between leave of the evidence. Something that is not there may be there after a change, but further
 * changes are no further excuse.
 */
function changesFactor(evidence: Evidence, { outcome }: UncomparedCall, changes: number): number {
  if (evidence.isFailure && outcome.complaint === "absent") return changes > 0 ? CHANGE_BEFORE_ABSENCE : 1;
  return changeFactor(evidence) ** changes;
}

/** A change in between excuses similar outcomes completely. */
function changeFactor({ isFailure, isOutcomeEqual, value }: Evidence): number {
  if (isFailure) return CHANGE_BEFORE_FAILURE;
  return isOutcomeEqual || value === 0 ? CHANGE : 0;
}

/** The same for a call that has left the history. Uses the waits counted so far as a lower bound. */
export function traceDiscount(trace: Trace, { newest, between, isReread, isAskedFor }: DiscountInput): number {
  const [, , personTurn, scheduledPrompts, epoch, , , , isSettled] = trace;
  if (isAskedFor && personTurn !== newest.personTurn) return 0;
  if (isSettled === 1 || scheduledPrompts !== newest.scheduledPrompts || newest.kind === "wait" || isReread) return 0;
  const change = newest.outcome.failure === undefined ? CHANGE : CHANGE_BEFORE_FAILURE;
  const people = isWrite(newest.kind) ? 0 : newest.personTurn - personTurn;
  return change ** (newest.epoch - epoch) * PERSON ** people * WAIT ** between.waits;
}

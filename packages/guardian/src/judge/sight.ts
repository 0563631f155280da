import type { Observation, Trace } from "../remembered-calls.ts";
import { isWrite } from "../signal.ts";
import type { GuardianState } from "../state.ts";
import { type Evidence, evidence, isMereNod, likenessOf } from "./evidence.ts";
import { mayRecur } from "./with-trace.ts";

/** An earlier call beside the newest: the evidence that it is repeated, and what is left of it after what lay between. */
export interface Pair extends Evidence {
  readonly index: number;
  readonly turn: number;
  /** The earlier call itself while it is in the ring; an exact repeat from further back has none. */
  readonly earlier?: Observation;
  /** 0 to 1: work, people and waiting in between excuse a repetition. */
  readonly discount: number;
  /** value × discount */
  readonly weight: number;
}

/** What detectors look at: the newest call, the calls before it, and how it relates to each. */
export interface Sight {
  readonly newest: Observation;
  /** All calls in the ring, oldest first, the newest last: a list of the sight's own. */
  readonly history: Observation[];
  /** The calls before those, oldest first. */
  readonly past: readonly Trace[];
  /** Newest first. */
  readonly pairs: readonly Pair[];
}

/** Novel: a call that repeats no earlier one. */
export const NOVEL = 0.4;
const POLL_GAP_MS = 10_000;
const BACK_OFF_MS = 3_000;

/** Compares the newest call with all that are remembered, and notes how like them it is. */
export function look(state: GuardianState, newest: Unseen): Sight {
  const pairs: Pair[] = [];
  const between: Between = {
    changes: 0,
    news: 0,
    waits: isBackOff(state.history, newest) ? 1 : 0,
    pollAtMs: newest.atMs,
  };
  const isReread = isFirstSinceCompaction(state.history, newest);
  for (let i = state.history.length - 1; i >= 0; i--) {
    const earlier = state.history[i] as Observation; // in bounds by the loop
    notePoll(between, earlier, newest);
    const pair = pairWith(earlier, newest, between, isReread);
    if (pair !== undefined) pairs.push(pair);
    note(between, earlier, newest);
  }
  for (let i = mayRecur(state.past, newest.call.exact) ? state.past.length - 1 : -1; i >= 0; i--) {
    const trace = state.past[i] as Trace; // in bounds by the loop
    if (trace[6] === newest.call.exact) pairs.push(pairWithTrace(trace, newest, isReread, between.waits));
  }
  for (const { value, weight } of pairs) {
    newest.likeness = Math.max(newest.likeness, value);
    newest.redundancy = Math.max(newest.redundancy, weight);
  }
  const history = state.history.slice();
  history.push(newest);
  return { newest, history, past: state.past, pairs };
}

/** A call as it is looked at: its likeness is still to be found. */
export type Unseen = Omit<Observation, "likeness" | "redundancy"> & { likeness: number; redundancy: number };

/** What lies between an earlier call and the newest. */
interface Between {
  changes: number;
  /** Novel successes of other calls. */
  news: number;
  waits: number;
  /** When the same poll was made next. */
  pollAtMs: number;
}

/** A failure that was retried at a distance, and now again at almost twice that or more. */
function isBackOff(history: readonly Observation[], newest: Observation): boolean {
  if (newest.outcome.failure === undefined) return false;
  const [first, second] = history.filter((each) => each.call.exact === newest.call.exact).slice(-2);
  if (first === undefined || second === undefined) return false;
  const gapMs = newest.atMs - second.atMs;
  return gapMs >= BACK_OFF_MS && gapMs >= 1.8 * (second.atMs - first.atMs);
}

/** The same poll, or a retry of what is overloaded, some seconds before: waiting, not asking again and again. */
function notePoll(between: Between, earlier: Observation, newest: Observation): void {
  const isWaiting = newest.kind === "poll" || newest.outcome.complaint === "rate-limit";
  if (!isWaiting || earlier.call.exact !== newest.call.exact) return;
  if (between.pollAtMs - earlier.atMs >= POLL_GAP_MS) between.waits++;
  between.pollAtMs = earlier.atMs;
}

function note(between: Between, earlier: Observation, newest: Observation): void {
  if (isChange(earlier) && isUnrelated(earlier, newest)) between.changes++;
  if (isNews(earlier)) between.news++;
  if (earlier.kind === "wait" && earlier.outcome.failure === undefined && earlier.turn !== newest.turn) between.waits++;
}

/** About something else: a loop's own writes do not excuse it, nor does one more message to the same address. */
function isUnrelated(earlier: Observation, newest: Observation): boolean {
  if (earlier.tool !== newest.tool) return true;
  return likenessOf(earlier, newest) < 0.4 && !(earlier.kind === "send" && earlier.call.target === newest.call.target);
}

/** A novel success that says something of the world. */
export function isNews({ outcome, redundancy, kind }: Observation): boolean {
  return outcome.failure === undefined && redundancy < NOVEL && kind !== "think" && kind !== "wait";
}

/** A novel write that succeeded: the world is another one now. */
export function isChange(observation: Observation): boolean {
  return isWrite(observation.kind) && observation.outcome.failure === undefined && observation.likeness < NOVEL;
}

/** The pair, where the two have anything to do with each other: no detector asks for the others, and they are many. */
function pairWith(earlier: Observation, newest: Observation, between: Between, isReread: boolean): Pair | undefined {
  if (newest.outcome.failure === undefined && (earlier.tool !== newest.tool || isElse(earlier, newest)))
    return undefined;
  const seen = evidence(newest, earlier);
  const { likeness, isFailure, isOutcomeEqual } = seen;
  if (seen.value === 0 && likeness !== "same" && !isWrite(newest.kind)) return undefined;
  const isBatch = earlier.turn === newest.turn;
  const value = isBatch ? (likeness === "same" ? seen.value / 2 : 0) : seen.value;
  const discount = isBatch ? 1 : discountOf(earlier, newest, between, seen, isReread);
  return {
    index: earlier.index,
    turn: earlier.turn,
    earlier,
    likeness,
    isFailure,
    isOutcomeEqual,
    value,
    discount,
    weight: value * discount,
  };
}

/** Another question, and another answer to it: most calls are that to each other, and their words need no comparing. What is said or done counts by its words. */
function isElse({ call, outcome }: Observation, newest: Observation): boolean {
  if (
    isWrite(newest.kind) ||
    newest.kind === "think" ||
    call.exact === newest.call.exact ||
    call.target === newest.call.target
  )
    return false;
  return outcome.exact !== newest.outcome.exact && outcome.masked !== newest.outcome.masked;
}

function discountOf(
  earlier: Observation,
  newest: Observation,
  between: Between,
  seen: Evidence,
  isReread: boolean,
): number {
  if (earlier.isSettled || earlier.schedule !== newest.schedule || newest.kind === "wait") return 0;
  if (isReread && earlier.compaction !== newest.compaction) return 0;
  const change = seen.isFailure ? 0.5 : seen.isOutcomeEqual || seen.value === 0 ? 0.3 : 0;
  if (isWrite(newest.kind)) return change ** between.changes * (seen.isFailure ? 0.2 ** between.waits : 1); // neither a person nor waiting excuses acting again
  // "ok" says nothing of what was done; where each was followed by something new, it did its work.
  if (isMereNod(newest) && between.news > 0) return 0.4 ** between.news;
  return change ** between.changes * 0.5 ** (newest.personTurn - earlier.personTurn) * 0.2 ** between.waits;
}

/** A read that succeeds for the first time since the history was compacted: the answer had been forgotten. */
function isFirstSinceCompaction(history: readonly Observation[], newest: Observation): boolean {
  if (newest.compaction === 0 || isWrite(newest.kind) || newest.outcome.failure !== undefined) return false;
  return !history.some(
    (earlier) => earlier.compaction === newest.compaction && earlier.call.loose === newest.call.loose,
  );
}

/** An exact repeat from further back. It was not waited for less than the calls since. */
function pairWithTrace(trace: Trace, newest: Observation, isReread: boolean, waits: number): Pair {
  const [index, turn, personTurn, schedule, epoch, , , outcome, isSettled] = trace;
  const value = outcome === newest.outcome.masked ? 1 : 0;
  const isFailure = newest.outcome.failure !== undefined;
  const isExcused = isSettled === 1 || schedule !== newest.schedule || newest.kind === "wait" || isReread;
  const people = isWrite(newest.kind) ? 0 : newest.personTurn - personTurn;
  const discount = isExcused ? 0 : (isFailure ? 0.5 : 0.3) ** (newest.epoch - epoch) * 0.5 ** people * 0.2 ** waits;
  return {
    index,
    turn,
    value,
    likeness: "same",
    isFailure,
    isOutcomeEqual: value === 1,
    discount,
    weight: value * discount,
  };
}

/** What was counted, and on which calls. */
export interface Count {
  readonly count: number;
  /** Indexes of the calls, oldest first, the newest last. */
  readonly evidence: readonly number[];
  /** All of them are the very same call. */
  readonly isExact?: boolean;
}

/** One plus the evidence summed, each earlier turn once: the number of equal calls. `weigh` says what a pair is worth; 0 leaves it out. */
export function countEqual({ newest, pairs }: Sight, weigh: (pair: Pair, newest: Observation) => number): Count {
  if (pairs.length === 0) return alone;
  const perTurn = new Map<number, { weight: number; index: number }>();
  const evidence: number[] = [];
  let count = 1;
  let isExact = true;
  for (const pair of pairs) {
    const weight = weigh(pair, newest);
    if (weight <= 0) continue;
    isExact &&= pair.likeness === "same";
    if (pair.turn === newest.turn) {
      count += weight;
      evidence.push(pair.index);
    } else if (weight > (perTurn.get(pair.turn)?.weight ?? 0)) perTurn.set(pair.turn, { weight, index: pair.index });
  }
  for (const { weight, index } of perTurn.values()) {
    count += weight;
    evidence.push(index);
  }
  return { count, evidence: [...evidence.sort((a, b) => a - b), newest.index], isExact };
}

/** A call that is like no other. */
const alone: Count = { count: 1, evidence: [], isExact: true };

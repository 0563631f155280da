import { isWrite } from "../perceive/tool-kind.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import type { Observation, Trace, UncomparedCall } from "../state/observation.ts";
import {
  type Between,
  countBetween,
  countPoll,
  discountOf,
  isFirstSinceCompaction,
  isFirstSinceMessage,
  startBetween,
  traceDiscount,
} from "./discount.ts";
import { compareCalls, type Evidence, isShortMove } from "./evidence.ts";

/** An earlier call and the evidence that the newest call repeats it. */
export interface Pair extends Evidence {
  readonly index: number;
  readonly turn: number;
  /** The earlier call while it is in the history; absent for an exact repetition from further back. */
  readonly earlier?: Observation;
  /** 0 to 1: work, people and waiting in between excuse a repetition. */
  readonly discount: number;
  /** value × discount */
  readonly weight: number;
  /** Equal calls with equal outcomes, and nothing in between or in the outcome leaves a doubt. */
  readonly isExact: boolean;
  /** Something new succeeded in between. */
  readonly isAfterNews: boolean;
}

/** What detectors look at: the newest call, the calls before it, and how it relates to each. */
export interface Comparison {
  readonly newest: Observation;
  /** The calls in the history, oldest first, with the newest at the end. */
  readonly history: readonly Observation[];
  /** The calls before those, oldest first. */
  readonly traces: readonly Trace[];
  /** Newest first. */
  readonly pairs: readonly Pair[];
}

/** Compares the newest call with all earlier calls that the state remembers. */
export function compareWithHistory({ history, traces }: GuardianState, newest: UncomparedCall): Comparison {
  const between = startBetween(history, newest);
  const input: PairInput = {
    newest,
    between,
    isReread: isFirstSinceCompaction(history, newest),
    isAskedFor: isFirstSinceMessage(history, newest),
  };
  const pairs: Pair[] = [];
  const showsPlace = hasOtherAnswer(history, newest);
  for (const [position, earlier] of [...history.entries()].toReversed()) {
    countPoll(between, earlier, newest);
    const pair = pairWithCall(earlier, { ...input, leadsNowhere: showsPlace || isLap(history, position, newest) });
    if (pair !== undefined) pairs.push(pair);
    countBetween(between, earlier, newest);
  }
  for (const trace of traces.toReversed()) if (trace[6] === newest.call.exact) pairs.push(pairWithTrace(trace, input));
  const compared: Observation = {
    ...newest,
    likeness: Math.max(0, ...pairs.map(({ value }) => value)),
    redundancy: Math.max(0, ...pairs.map(({ weight }) => weight)),
  };
  return { newest: compared, history: [...history, compared], traces, pairs };
}

/** Whether the same move had another answer before: its answers show where it leads, and an equal one is no news. */
function hasOtherAnswer(history: readonly Observation[], { kind, call, outcome }: UncomparedCall): boolean {
  if (kind !== "move") return false;
  return history.some((earlier) => earlier.call.exact === call.exact && earlier.outcome.masked !== outcome.masked);
}

/**
 * Whether the newest call and the two calls before it, not all of them equal, were made before in the same order with
 * the same outcomes. Then even moves and bare acknowledgements lead nowhere.
 */
function isLap(history: readonly Observation[], position: number, newest: UncomparedCall): boolean {
  if (history[position]?.call.exact !== newest.call.exact) return false;
  const lap = [newest, history.at(-1), history.at(-2)];
  const earlierLap = [history[position], history[position - 1], history[position - 2]];
  if (new Set(lap.map((call) => call?.call.exact)).size < 2) return false;
  return lap.every((call, i) => {
    const before = earlierLap[i];
    return call?.call.exact === before?.call.exact && call?.outcome.masked === before?.outcome.masked;
  });
}

interface PairInput {
  readonly newest: UncomparedCall;
  readonly between: Between;
  readonly isReread: boolean;
  readonly isAskedFor: boolean;
  readonly leadsNowhere?: boolean;
}

/** Undefined for unrelated calls. Calls of one turn are a batch: only identical ones count, and only half. */
function pairWithCall(earlier: Observation, input: PairInput): Pair | undefined {
  const { index, turn } = earlier;
  const isAfterNews = input.between.otherNews > 0;
  const compared = compareCalls(input.newest, earlier);
  const evidence =
    input.leadsNowhere && compared.isSameCall && compared.isOutcomeEqual ? { ...compared, value: 1 } : compared;
  if (evidence.value === 0 && evidence.likeness !== "same" && !isWrite(input.newest.kind)) return undefined;
  if (turn === input.newest.turn) {
    const value = evidence.likeness === "same" ? evidence.value / 2 : 0;
    return {
      ...evidence,
      index,
      turn,
      earlier,
      value,
      discount: 1,
      weight: value,
      isExact: isExact(evidence, input),
      isAfterNews,
    };
  }
  const discount = discountOf(earlier, evidence, input);
  return {
    ...evidence,
    index,
    turn,
    earlier,
    discount,
    weight: evidence.value * discount,
    isExact: isExact(evidence, input),
    isAfterNews,
  };
}

/** An agent that looks again after this time is waiting for something. */
const WAITING_MS = 30_000;

/**
 * Leaves no doubt: nothing in between may have been meant to mend a failure or be the reason to act again, there was no
 * wait before looking again, and the answer shows that nothing moved.
 */
function isExact(evidence: Evidence, { newest, between }: PairInput): boolean {
  const { isSameCall, isOutcomeEqual, isFailure } = evidence;
  if (!isSameCall || !isOutcomeEqual || isShortMove(newest)) return false;
  if (isWrite(newest.kind) && !isFailure) return between.otherNews === 0;
  return between.longestGapMs < WAITING_MS && (!isFailure || between.attempts === 0);
}

/** An exact repetition from further back. */
function pairWithTrace(trace: Trace, input: PairInput): Pair {
  const [index, turn, , , epoch, , , outcome] = trace;
  const isOutcomeEqual = outcome === input.newest.outcome.masked;
  const value = isOutcomeEqual ? 1 : 0;
  const discount = traceDiscount(trace, input);
  const isFailure = input.newest.outcome.failure !== undefined;
  const weight = value * discount;
  const isChanged = isFailure && input.newest.epoch !== epoch;
  return {
    ...{ index, turn, value, likeness: "same", isSameCall: true, isFailure, isOutcomeEqual, discount, weight },
    isExact: isOutcomeEqual && !isChanged && !isShortMove(input.newest),
    isAfterNews: input.between.otherNews > 0,
  };
}

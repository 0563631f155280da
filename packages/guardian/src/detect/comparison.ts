import { isWrite } from "../perceive/tool-kind.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import type { Observation, Trace, UncomparedCall } from "../state/observation.ts";
import {
  type Between,
  countBetween,
  countWait,
  discountOf,
  isFirstSinceCompaction,
  isFirstSinceMessage,
  startBetween,
  traceDiscount,
} from "./discount.ts";
import { compareCalls, type Evidence } from "./evidence.ts";
import { isExactRepetition } from "./exact-repetition.ts";
import { hasOtherAnswer, isLap } from "./lap.ts";

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
    countWait(between, earlier, newest);
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

interface PairInput {
  readonly newest: UncomparedCall;
  readonly between: Between;
  readonly isReread: boolean;
  readonly isAskedFor: boolean;
  /** An equal outcome counts in full even if it is a bare acknowledgement. */
  readonly leadsNowhere?: boolean;
}

/** Undefined for unrelated calls. Calls of one turn are a batch: only identical ones count, and only half. */
function pairWithCall(earlier: Observation, input: PairInput): Pair | undefined {
  const { newest, between } = input;
  const compared = compareCalls(newest, earlier);
  const leadsNowhere = input.leadsNowhere && compared.isSameCall && compared.isOutcomeEqual;
  const evidence = leadsNowhere ? { ...compared, value: 1 } : compared;
  if (evidence.value === 0 && evidence.likeness !== "same" && !isWrite(newest.kind)) return undefined;
  const isBatch = earlier.turn === newest.turn;
  const value = isBatch ? (evidence.likeness === "same" ? evidence.value / 2 : 0) : evidence.value;
  const discount = isBatch ? 1 : discountOf(earlier, evidence, input);
  return {
    ...evidence,
    index: earlier.index,
    turn: earlier.turn,
    earlier,
    value,
    discount,
    weight: value * discount,
    isExact: isExactRepetition(evidence, newest, between),
    isAfterNews: between.otherNews > 0,
  };
}

/** An exact repetition from further back. */
function pairWithTrace(trace: Trace, input: PairInput): Pair {
  const [index, turn, , , epoch, , , outcome] = trace;
  const { newest, between } = input;
  const isOutcomeEqual = outcome === newest.outcome.masked;
  const isFailure = newest.outcome.failure !== undefined;
  const evidence: Evidence = {
    value: isOutcomeEqual ? 1 : 0,
    likeness: "same",
    isFailure,
    isOutcomeEqual,
    isSameCall: true,
  };
  const discount = traceDiscount(trace, input);
  const isMended = isFailure && newest.epoch !== epoch;
  return {
    ...evidence,
    index,
    turn,
    discount,
    weight: evidence.value * discount,
    isExact: isExactRepetition(evidence, newest, between) && !isMended,
    isAfterNews: between.otherNews > 0,
  };
}

import { similarity, without } from "../perceive/sketch.ts";
import type { Observation } from "../remembered-calls.ts";
import { isWrite } from "../signal.ts";

/** How two calls relate: the same call, a similar one, another question. */
type Likeness = "same" | "near" | "similar" | "other";

/** The evidence that the newest call repeats an earlier one, before any discount. */
export interface Evidence {
  /** 0 to 1. */
  readonly value: number;
  readonly likeness: Likeness;
  readonly isFailure: boolean;
  /** The outcomes are equal, not merely alike. */
  readonly isOutcomeEqual: boolean;
}

/** The similarity of two spellings of one call; sets of words may be equal where the calls are not. */
const LOOSE = 0.95;
/** Fewer distinct words than this are too few to compare by. */
const TELLING = 8;

const none = (likeness: Likeness): Evidence => ({ value: 0, likeness, isFailure: false, isOutcomeEqual: false });

/** Compares two calls by their prints. Results are stronger evidence than arguments. */
export function evidence(newest: Observation, earlier: Observation): Evidence {
  const argued = likenessOf(newest, earlier);
  const isSaid = isWrite(newest.kind) || newest.kind === "think"; // where every word of the arguments counts
  const likeness =
    argued >= 1 ? "same" : argued >= (isSaid ? LOOSE : 0.9) ? "near" : argued >= 0.5 ? "similar" : "other";
  const isFailure = newest.outcome.failure !== undefined;
  if (isFailure !== (earlier.outcome.failure !== undefined)) return none(likeness);
  if (isFailure) return failureEvidence(newest, earlier, likeness, argued);
  if (newest.tool !== earlier.tool) return none("other");
  return newest.kind === "think"
    ? thoughtEvidence(newest, earlier, likeness)
    : successEvidence(newest, earlier, likeness);
}

/** Similarity of the arguments, 0 to 1. */
export function likenessOf(a: Observation, b: Observation): number {
  if (a.tool === b.tool) {
    if (a.call.exact === b.call.exact) return 1;
    if (a.call.loose === b.call.loose) return LOOSE;
  }
  return Math.min(LOOSE - 0.01, similarity(a.call.words, b.call.words));
}

function failureEvidence(newest: Observation, earlier: Observation, likeness: Likeness, argued: number): Evidence {
  const isOutcomeEqual = isSameFailure(newest, earlier);
  const as = (value: number): Evidence => ({ value, likeness, isFailure: true, isOutcomeEqual });
  if (!isOutcomeEqual) return none(likeness);
  const isUnknown = newest.outcome.status === "unknown-tool"; // both are, by their equal failures
  if (newest.tool !== earlier.tool && !isUnknown)
    return argued >= 0.3 ? { ...as(0.4), likeness: "other" } : none("other");
  if (likeness === "same") return as(1);
  if (likeness === "near") return as(0.9);
  return as(likeness === "similar" ? 0.8 : 0.4);
}

/** The words of the complaint agree once the words of both calls are taken out; what still varies is news. */
function isSameFailure(a: Observation, b: Observation): boolean {
  if (a.outcome.status !== b.outcome.status) return false;
  if (a.outcome.status === "unknown-tool") return true;
  if (a.outcome.exact === b.outcome.exact || a.outcome.masked === b.outcome.masked) return true;
  if (a.call.exact === b.call.exact && hasMoved(a.outcome.size, b.outcome.size)) return false;
  const of = (observation: Observation) =>
    without(without(observation.outcome.failure ?? "", a.call.words), b.call.words);
  const mine = of(a);
  const theirs = of(b);
  return mine === theirs || similarity(mine, theirs) >= 0.9;
}

/** The same command complains at another length: there are more failures or fewer than before. */
function hasMoved(a: number, b: number): boolean {
  return Math.abs(a - b) > Math.max(12, 0.05 * Math.max(a, b));
}

function successEvidence(newest: Observation, earlier: Observation, likeness: Likeness): Evidence {
  const a = newest.outcome;
  const b = earlier.outcome;
  const isOutcomeEqual = a.exact === b.exact || (a.masked === b.masked && (likeness === "same" || a.words === b.words));
  const as = (value: number): Evidence => ({ value, likeness, isFailure: false, isOutcomeEqual });
  if (likeness === "same" && isOutcomeEqual) return as(1);
  const isOtherTarget = newest.call.target !== earlier.call.target;
  if (isWrite(newest.kind) && likeness !== "same")
    return as(likeness === "near" && !isOtherTarget && isOutcomeEqual ? 0.9 : 0);
  if (isOutcomeEqual) return as(sameAnswer(newest, likeness, isOtherTarget));
  if (a.substance < TELLING || (likeness === "same" ? hasNews(newest, earlier) : isOtherTarget)) return none(likeness);
  const alike = similarity(a.words, b.words);
  if (likeness === "same") return as(alike >= 0.8 ? 1 : alike >= 0.6 ? 0.9 : 0);
  return as(alike >= 0.8 && likeness === "similar" ? 0.6 : alike >= 0.7 ? 0.4 : 0);
}

/** The same question, answered alike but not equally: figures that have moved are news, and so is a new last line of a text that grows. */
function hasNews({ outcome: a }: Observation, { outcome: b }: Observation): boolean {
  return a.shape === b.shape || (a.last !== b.last && a.size !== b.size);
}

/**
 * The same answer to another question: the more it says, the less it can be chance.
 * Where the questions are about other things, the same "there is nothing" still tells of a loop, but the same "it is done" does not.
 */
function sameAnswer(newest: Observation, likeness: Likeness, isOtherTarget: boolean): number {
  const { size, isNothing } = newest.outcome;
  if (likeness === "near") return 0.9;
  if (isOtherTarget && !isNothing) return size >= 80 ? 0.25 : 0;
  if (size >= 80) return 0.7;
  if (likeness === "similar") return isAcknowledgement(newest) ? (isOtherTarget ? 0 : 0.4) : 0.6;
  return isOtherTarget ? 0 : isNothing ? 0.25 : 0.1;
}

/** A thought is answered by an acknowledgement whatever it says: only what is written down counts. A plan reworded with every status as it was is half a repeat. */
function thoughtEvidence(newest: Observation, earlier: Observation, likeness: Likeness): Evidence {
  const isUnchanged = newest.call.target !== undefined && newest.call.target === earlier.call.target;
  const value = likeness === "same" || likeness === "near" ? 1 : isUnchanged ? 0.5 : 0;
  return { value, likeness, isFailure: false, isOutcomeEqual: true };
}

/** An answer without content: empty, "ok", "done". It tells nothing of what was asked. */
function isAcknowledgement(observation: Observation): boolean {
  return observation.outcome.substance <= 3;
}

/** A deed of unknown kind that is only ever nodded at: a scroll, a click, a key. */
export function isMereNod({ kind, outcome }: Observation): boolean {
  return kind === "unknown" && outcome.failure === undefined && outcome.substance <= 1 && outcome.size <= 16;
}

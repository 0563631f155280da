import { isWrite } from "./kind.ts";
import { similarity, without } from "./sketch.ts";
import type { Observation } from "./state.ts";

/** How two calls relate: the same call, a similar one, another question. */
export type Likeness = "same" | "near" | "similar" | "other";

/** The evidence that the newest call repeats an earlier one, before any discount. */
export interface Evidence {
  /** 0 to 1. */
  readonly value: number;
  readonly likeness: Likeness;
  readonly isFailure: boolean;
  /** The outcomes are equal, not merely alike. */
  readonly isOutcomeEqual: boolean;
}

const none = (likeness: Likeness): Evidence => ({ value: 0, likeness, isFailure: false, isOutcomeEqual: false });

/** Compares two calls by their prints. Results are stronger evidence than arguments. */
export function evidence(newest: Observation, earlier: Observation): Evidence {
  const argued = likenessOf(newest, earlier);
  const likeness = argued >= 1 ? "same" : argued >= 0.9 ? "near" : argued >= 0.5 ? "similar" : "other";
  const isFailure = newest.outcome.failure !== undefined;
  if (isFailure !== (earlier.outcome.failure !== undefined)) return none(likeness);
  if (isFailure) return failureEvidence(newest, earlier, likeness, argued);
  if (newest.tool !== earlier.tool) return none("other");
  return newest.kind === "think" ? thoughtEvidence(newest, earlier, likeness) : successEvidence(newest, earlier, likeness);
}

/** Similarity of the arguments, 0 to 1. */
export function likenessOf(a: Observation, b: Observation): number {
  if (a.tool === b.tool) {
    if (a.call.exact === b.call.exact) return 1;
    if (a.call.loose === b.call.loose) return 0.95;
  }
  return Math.min(0.94, similarity(a.call.words, b.call.words));
}

function failureEvidence(newest: Observation, earlier: Observation, likeness: Likeness, argued: number): Evidence {
  const isOutcomeEqual = isSameFailure(newest, earlier);
  const as = (value: number): Evidence => ({ value, likeness, isFailure: true, isOutcomeEqual });
  if (!isOutcomeEqual) return none(likeness);
  const isBothUnknown = newest.outcome.status === "unknown-tool" && earlier.outcome.status === "unknown-tool";
  if (newest.tool !== earlier.tool && !isBothUnknown) return argued >= 0.3 ? { ...as(0.4), likeness: "other" } : none("other");
  if (likeness === "same") return as(1);
  if (likeness === "near") return as(0.9);
  return as(likeness === "similar" ? 0.7 : 0.4);
}

/** The words of the complaint agree once the words of both calls are taken out; what still varies is news. */
function isSameFailure(a: Observation, b: Observation): boolean {
  if (a.outcome.status !== b.outcome.status) return false;
  if (a.outcome.exact === b.outcome.exact || a.outcome.masked === b.outcome.masked) return true;
  const of = (observation: Observation) => without(without(observation.outcome.failure ?? "", a.call.words), b.call.words);
  const mine = of(a);
  const theirs = of(b);
  return mine === theirs || similarity(mine, theirs) >= 0.8;
}

function successEvidence(newest: Observation, earlier: Observation, likeness: Likeness): Evidence {
  const a = newest.outcome;
  const b = earlier.outcome;
  const isOutcomeEqual = a.exact === b.exact || (a.masked === b.masked && (likeness === "same" || a.words === b.words));
  const as = (value: number): Evidence => ({ value, likeness, isFailure: false, isOutcomeEqual });
  const alike = isOutcomeEqual ? 1 : similarity(a.words, b.words);
  if (likeness === "same") {
    if (isOutcomeEqual) return as(1);
    if (a.shape === b.shape) return none(likeness); // the figures have moved: news
    return as(alike >= 0.8 ? 1 : alike >= 0.6 ? 0.9 : 0);
  }
  if (isWrite(newest.kind) && newest.call.target !== earlier.call.target) return none(likeness); // the same answer to another deed
  if (likeness === "near" && isOutcomeEqual) return as(0.9);
  if (isWrite(newest.kind)) return none(likeness);
  if (isOutcomeEqual && a.size >= 80) return as(0.7);
  if (isOutcomeEqual && likeness === "similar") return as(isAcknowledgement(newest) ? 0.5 : 0.6);
  return likeness !== "other" && alike >= 0.7 ? as(0.4) : none(likeness);
}

/** A thought is answered by an acknowledgement whatever it says: only what is written down counts. A plan reworded with every status as it was is half a repeat. */
function thoughtEvidence(newest: Observation, earlier: Observation, likeness: Likeness): Evidence {
  const isUnchanged = newest.call.target !== undefined && newest.call.target === earlier.call.target;
  const value = likeness === "same" || likeness === "near" ? 1 : isUnchanged ? 0.5 : 0;
  return { value, likeness, isFailure: false, isOutcomeEqual: true };
}

/** An answer without content: empty, "ok", "done". It tells nothing of what was asked. */
export function isAcknowledgement(observation: Observation): boolean {
  return observation.outcome.substance <= 3;
}

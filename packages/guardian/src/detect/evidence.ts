import { similarity, without } from "../perceive/sketch.ts";
import { isWrite } from "../perceive/tool-kind.ts";
import type { UncomparedCall } from "../state/observation.ts";

type EvidenceValue = Omit<Evidence, "isSameCall">;

/** How two calls relate: the same call, a similar one, another question. */
type Likeness = "same" | "near" | "similar" | "other";

/** The evidence that the newest call repeats an earlier one, before any discount. */
export interface Evidence {
  /** 0 to 1. */
  readonly value: number;
  readonly likeness: Likeness;
  readonly isFailure: boolean;
  /** The outcomes are equal, not merely similar. */
  readonly isOutcomeEqual: boolean;
  /** It is the same call in the same or another spelling, not merely a similar one. */
  readonly isSameCall: boolean;
}

/**
 * The similarity of two spellings of one call. Sets of words stay below it: they may be equal where the calls are not.
 */
const LOOSE = 0.95;
/** An answer with this many distinct words is the same answer, whatever was asked. */
const RICH_ANSWER = 30;
/** A longer answer to a move shows where it led. */
const SHORT_ANSWER = 160;
/** Fewer distinct words than this are too few to compare by. */
const MIN_WORDS = 8;
/** An answer with more characters is unlikely to be equal by chance. */
const LONG_ANSWER = 80;

/** Compares two calls by their prints. Results are stronger evidence than arguments. */
export function compareCalls(newest: UncomparedCall, earlier: UncomparedCall): Evidence {
  const argumentSimilarity = compareArguments(newest, earlier);
  return { ...evidenceOf(newest, earlier, argumentSimilarity), isSameCall: argumentSimilarity >= LOOSE };
}

function evidenceOf(newest: UncomparedCall, earlier: UncomparedCall, argumentSimilarity: number): EvidenceValue {
  const likeness = likenessOf(newest, argumentSimilarity);
  const isFailure = newest.outcome.failure !== undefined;
  if (isFailure !== (earlier.outcome.failure !== undefined)) return noEvidence(likeness);
  if (isFailure) return failureEvidence({ newest, earlier, likeness, argumentSimilarity });
  if (newest.tool !== earlier.tool) return noEvidence("other");
  if (newest.kind === "think") return noteEvidence(newest, earlier, likeness);
  return successEvidence(newest, earlier, likeness);
}

/** Similarity of the arguments, 0 to 1. */
export function compareArguments(a: UncomparedCall, b: UncomparedCall): number {
  if (a.tool === b.tool) {
    if (a.call.exact === b.call.exact) return 1;
    if (a.call.loose === b.call.loose) return LOOSE;
  }
  return Math.min(LOOSE - 0.01, similarity(a.call.words, b.call.words));
}

/** In writes and notes every word of the arguments counts. */
function likenessOf({ kind }: UncomparedCall, argumentSimilarity: number): Likeness {
  if (argumentSimilarity >= 1) return "same";
  if (argumentSimilarity >= (isWrite(kind) || kind === "think" ? LOOSE : 0.9)) return "near";
  return argumentSimilarity >= 0.5 ? "similar" : "other";
}

function noEvidence(likeness: Likeness): EvidenceValue {
  return { value: 0, likeness, isFailure: false, isOutcomeEqual: false };
}

interface FailurePair {
  readonly newest: UncomparedCall;
  readonly earlier: UncomparedCall;
  readonly likeness: Likeness;
  readonly argumentSimilarity: number;
}

function failureEvidence({ newest, earlier, likeness, argumentSimilarity }: FailurePair): EvidenceValue {
  if (!isSameFailure(newest, earlier)) return noEvidence(likeness);
  const isUnknownTool = newest.outcome.status === "unknown-tool"; // then the earlier one is, too
  if (newest.tool !== earlier.tool && !isUnknownTool)
    return argumentSimilarity >= 0.3
      ? { value: 0.4, likeness: "other", isFailure: true, isOutcomeEqual: true }
      : noEvidence("other");
  const value = (isAboutOtherThing(newest, earlier) ? otherThingValues : failureValues)[likeness];
  return value === 0 ? noEvidence(likeness) : { value, likeness, isFailure: true, isOutcomeEqual: true };
}

const failureValues = { same: 1, near: 0.9, similar: 0.7, other: 0.4 } satisfies Record<Likeness, number>;
const otherThingValues = { same: 1, near: 0.9, similar: 0.4, other: 0 } satisfies Record<Likeness, number>;

/** Complaints that differ only in words of their own calls are about different things: "no table x", "no table y". */
function isAboutOtherThing(a: UncomparedCall, b: UncomparedCall): boolean {
  const wordsOfA = a.outcome.failure ?? "";
  const wordsOfB = b.outcome.failure ?? "";
  const onlyA = without(wordsOfA, wordsOfB);
  const onlyB = without(wordsOfB, wordsOfA);
  if (onlyA === "" || onlyB === "") return false;
  return without(onlyA, a.call.words) === "" && without(onlyB, b.call.words) === "";
}

/** Failures are the same when their words agree without the words of both calls. */
function isSameFailure(a: UncomparedCall, b: UncomparedCall): boolean {
  if (a.outcome.status !== b.outcome.status) return false;
  if (a.outcome.status === "unknown-tool") return true;
  if (a.outcome.exact === b.outcome.exact || a.outcome.masked === b.outcome.masked) return true;
  if (a.call.exact === b.call.exact && hasOtherLength(a.outcome.size, b.outcome.size)) return false;
  const ownWords = ({ outcome }: UncomparedCall) => without(without(outcome.failure ?? "", a.call.words), b.call.words);
  const wordsOfA = ownWords(a);
  const wordsOfB = ownWords(b);
  return wordsOfA === wordsOfB || similarity(wordsOfA, wordsOfB) >= 0.8;
}

/** The same command complains at another length: it has more failures or fewer than before. */
function hasOtherLength(a: number, b: number): boolean {
  return Math.abs(a - b) > Math.max(12, 0.05 * Math.max(a, b));
}

function successEvidence(newest: UncomparedCall, earlier: UncomparedCall, likeness: Likeness): EvidenceValue {
  const a = newest.outcome;
  const b = earlier.outcome;
  const isOutcomeEqual =
    a.exact === b.exact ||
    (a.masked === b.masked && (likeness === "same" || a.words === b.words || a.substance >= RICH_ANSWER));
  const worth = (value: number): EvidenceValue => ({ value, likeness, isFailure: false, isOutcomeEqual });
  if (newest.kind === "move") return worth(moveValue(newest, likeness, isOutcomeEqual));
  if (likeness === "same" && isOutcomeEqual) return worth(newest.kind === "poll" ? 0.5 : 1);
  const isOtherTarget = newest.call.target !== earlier.call.target;
  if (isWrite(newest.kind) && likeness !== "same")
    return worth(likeness === "near" && !isOtherTarget && isOutcomeEqual ? 0.9 : 0);
  if (isOutcomeEqual) return worth(sameAnswerValue(newest, likeness, isOtherTarget));
  if (a.substance < MIN_WORDS) return noEvidence(likeness);
  if (likeness === "same" ? hasNews(newest, earlier) : isOtherTarget) return noEvidence(likeness);
  return worth(similarAnswerValue(likeness, similarity(a.words, b.words)));
}

/**
 * The same move again leads elsewhere, unless what it shows is the same. A short answer acknowledges the move and shows
 * nothing.
 */
function moveValue({ outcome }: UncomparedCall, likeness: Likeness, isOutcomeEqual: boolean): number {
  if (likeness !== "same" || !isOutcomeEqual) return 0;
  return outcome.size >= SHORT_ANSWER ? 1 : 0.25;
}

/** A move whose answer does not show where it led. */
export function isShortMove({ kind, outcome }: UncomparedCall): boolean {
  return kind === "move" && outcome.failure === undefined && outcome.size < SHORT_ANSWER;
}

/**
 * The same question, answered similarly: figures that have moved are news, and so is a new last line of a growing
 * text.
 */
function hasNews({ outcome: a }: UncomparedCall, { outcome: b }: UncomparedCall): boolean {
  return a.shape === b.shape || (a.last !== b.last && a.size !== b.size);
}

function similarAnswerValue(likeness: Likeness, answerSimilarity: number): number {
  if (likeness === "same") {
    if (answerSimilarity >= 0.8) return 1;
    return answerSimilarity >= 0.6 ? 0.9 : 0;
  }
  if (answerSimilarity >= 0.8 && likeness === "similar") return 0.6;
  return answerSimilarity >= 0.7 ? 0.4 : 0;
}

/**
 * The same answer to another question: the longer it is, the less it can be chance.
 * About other targets, the same "there is nothing" is still a sign of a loop, but the same "it is done" is not.
 */
function sameAnswerValue({ outcome }: UncomparedCall, likeness: Likeness, isOtherTarget: boolean): number {
  const { size, isNothing } = outcome;
  if (likeness === "near") return 0.9;
  if (outcome.substance >= RICH_ANSWER) return 0.7;
  if (isOtherTarget && !isNothing) return size >= LONG_ANSWER ? 0.25 : 0;
  if (size >= LONG_ANSWER) return 0.7;
  if (likeness === "similar") {
    if (!isAcknowledgement(outcome)) return 0.6;
    return isOtherTarget ? 0 : 0.4;
  }
  if (isOtherTarget) return 0;
  return isNothing ? 0.25 : 0.1;
}

/**
 * A note is acknowledged whatever it says, so only its arguments count. A reworded plan with equal statuses is half a
 * repeat.
 */
function noteEvidence(newest: UncomparedCall, earlier: UncomparedCall, likeness: Likeness): EvidenceValue {
  const isUnchanged = newest.call.target !== undefined && newest.call.target === earlier.call.target;
  const value = likeness === "same" || likeness === "near" ? 1 : isUnchanged ? 0.5 : 0;
  return { value, likeness, isFailure: false, isOutcomeEqual: true };
}

/** An answer without content: empty, "ok", "done". */
function isAcknowledgement({ substance }: UncomparedCall["outcome"]): boolean {
  return substance <= 3;
}

/** Action of unknown kind whose result is a bare acknowledgement: a scroll, a click, a key. */
export function isBareAck({ kind, outcome }: UncomparedCall): boolean {
  return kind === "unknown" && outcome.failure === undefined && outcome.substance <= 1 && outcome.size <= 16;
}

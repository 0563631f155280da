import type { AuditOutcome } from "./audit.ts";

/** What was learned from a call that the user corrected or that did harm. It holds no text of a model or a tool. */
export interface Lesson {
  readonly id: string;
  /** When it was learned, or learned again. */
  readonly at: number;
  /** The shape of the call: see `callShape`. */
  readonly action: string;
  /** The lowest tier of the calls that it was learned from. */
  readonly tier?: number;
  /** Only in this folder it makes decisions stricter; elsewhere it informs. */
  readonly workspace?: string;
  /** What happened, in one sentence. */
  readonly reflection: string;
  readonly principle: string;
  /** What to do next time, in one sentence. */
  readonly rule: string;
  /** From 0 to 1, at the time `at`. */
  readonly confidence: number;
  /** How many decisions it has made stricter, or was quoted in. */
  readonly timesApplied: number;
  readonly lastAppliedAt?: number;
  readonly outcome: Exclude<AuditOutcome, "harmless" | "unknown">;
  /** Who showed that the call was wrong. Only a lesson from the user makes later decisions stricter. */
  readonly source: "user" | "result";
  /** The session in which it was learned first. */
  readonly sessionId: string;
}

/** A lesson before it is stored. */
export type NewLesson = Omit<Lesson, "id" | "timesApplied" | "lastAppliedAt">;

/** Confidence halves in this time, unless the lesson is learned again. */
const halfLifeMs = 30 * 86_400_000;
/** Below this confidence a lesson is not used, and is removed. */
const fadedConfidence = 0.1;

/** The confidence of a lesson at a time. */
export function confidenceAt({ at, lastAppliedAt, confidence }: Lesson, now: number): number {
  const ageMs = Math.max(0, now - Math.max(at, lastAppliedAt ?? 0));
  return confidence * 0.5 ** (ageMs / halfLifeMs);
}

function isFaded(lesson: Lesson, now: number): boolean {
  return confidenceAt(lesson, now) < fadedConfidence;
}

/** The same lesson is stored once: it has the same action, outcome, source and workspace. */
export function lessonKey(lesson: Pick<Lesson, "action" | "outcome" | "source" | "workspace">): string {
  const { action, outcome, source, workspace } = lesson;
  return JSON.stringify([action, outcome, source, ...(workspace === undefined ? [] : [workspace])]);
}

/** A lesson that is learned again: the newer sentences, and more confidence than each of the two. */
export function learnedAgain(stored: Lesson, learned: NewLesson): Lesson {
  const doubt = (1 - confidenceAt(stored, learned.at)) * (1 - learned.confidence);
  const { reflection, principle, rule, at } = learned;
  const tiers = [stored.tier, learned.tier].filter((tier) => tier !== undefined);
  return {
    ...stored,
    ...(tiers.length === 0 ? {} : { tier: Math.min(...tiers) }),
    ...{ at, reflection, principle, rule, confidence: Math.min(0.99, 1 - doubt) },
  };
}

/** A lesson that was applied: from now on its present confidence decays. */
export function appliedLesson(lesson: Lesson, at: number): Lesson {
  const { timesApplied } = lesson;
  return { ...lesson, confidence: confidenceAt(lesson, at), timesApplied: timesApplied + 1, lastAppliedAt: at };
}

/** A lesson that the user disagreed with. */
export function weakenedLesson(lesson: Lesson): Lesson {
  return { ...lesson, confidence: lesson.confidence / 2 };
}

const MAX_LESSONS = 500;

/** The lessons to remove: those that have faded, and the weakest of too many. */
export function lessonsToRemove(lessons: readonly Lesson[], now: number): readonly Lesson[] {
  const strongestFirst = lessons.toSorted((a, b) => confidenceAt(b, now) - confidenceAt(a, now));
  return strongestFirst.filter((lesson, index) => index >= MAX_LESSONS || isFaded(lesson, now));
}

const separator = "; ";

/** An action of several commands, in a fixed order. */
export function joinActions(parts: readonly string[]): string {
  return [...new Set(parts)].toSorted().join(separator);
}

/** Whether a call does everything that a lesson is about. */
function isSameAction(ofLesson: string, ofCall: string): boolean {
  const parts = new Set(ofCall.split(separator));
  return ofLesson.split(separator).every((part) => parts.has(part));
}

/** The lessons about an action that have not faded, strongest first. */
export function relevantLessons(
  lessons: readonly Lesson[],
  action: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): readonly Lesson[] {
  return lessons
    .filter((lesson) => isSameAction(lesson.action, action) && !isFaded(lesson, now))
    .toSorted((a, b) => confidenceAt(b, now) - confidenceAt(a, now))
    .slice(0, Math.max(0, limit));
}

import type { GateDecision } from "../gate/gate.ts";
import { confidenceAt, type Lesson } from "../protocol/lesson.ts";

/** From this confidence on, a lesson from the user makes a decision stricter. */
const HIGH_CONFIDENCE = 0.5;

export interface StricterOptions {
  readonly now: number;
  readonly workspace: string;
  /** Whether a user can be asked. */
  readonly canAsk: boolean;
  /** Whether the action of the call tells it from everyday calls of its tool. */
  readonly isSpecific: boolean;
}

/** A decision with lessons applied, and the ids of the lessons that changed it or are quoted in it. */
export interface LessonsApplied {
  readonly decision: GateDecision;
  readonly appliedIds: readonly string[];
  /** Whether a lesson made the decision stricter. */
  readonly isStricter: boolean;
}

/**
 * Applies lessons to a decision, which becomes stricter or stays: a call that the user refused or corrected before in
 * the same workspace needs approval again, unless it only reads or has a lower tier than the earlier one. A rule of the
 * configuration is the user's own word and is not overruled. From tier 3 on, the strongest lesson is quoted in the
 * reason.
 */
export function withLessons(
  decision: GateDecision,
  lessons: readonly Lesson[],
  { now, workspace, canAsk, isSpecific }: StricterOptions,
): LessonsApplied {
  const ids = lessons.map(({ id }) => id);
  const known =
    ids.length === 0 ? decision : { ...decision, lessons: [...new Set([...(decision.lessons ?? []), ...ids])] };
  const isAbout = (lesson: Lesson) => lesson.workspace === workspace && decision.tier >= Math.max(1, lesson.tier ?? 1);
  const fromUser = lessons.find(
    (lesson) =>
      lesson.source === "user" && confidenceAt(lesson, now) >= HIGH_CONFIDENCE && isSpecific && isAbout(lesson),
  );
  if (decision.decision === "allow" && fromUser !== undefined && decision.rule === undefined) {
    const reason = `${decision.reason} ${lessonSentence(fromUser)}`;
    const strict: GateDecision = canAsk
      ? { ...known, decision: "ask", reason }
      : { ...known, decision: "deny", reason: `${reason} There is no user to approve it.` };
    return { decision: strict, appliedIds: [fromUser.id], isStricter: true };
  }
  const [strongest] = lessons;
  if (strongest === undefined || !isSpecific || decision.decision === "allow" || decision.tier < 3)
    return { decision: known, appliedIds: [], isStricter: false };
  if (decision.reason.includes(strongest.rule))
    return { decision: known, appliedIds: [strongest.id], isStricter: false };
  const reason = `${decision.reason} ${lessonSentence(strongest)}`;
  return { decision: { ...known, reason }, appliedIds: [strongest.id], isStricter: false };
}

function lessonSentence({ id, reflection, rule }: Lesson): string {
  return `Learned before (${id}): ${reflection} ${rule}`;
}

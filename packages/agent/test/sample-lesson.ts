import type { NewLesson } from "../src/protocol/lesson.ts";

/** A lesson from a user who said no to a call. */
export function sampleLesson(fields: Partial<NewLesson> = {}): NewLesson {
  const { action = "bash: git push" } = fields;
  return {
    at: 0,
    sessionId: "ses_1",
    action,
    reflection: "The user objected to it.",
    principle: "intent",
    rule: `Ask the user before you use ${action}.`,
    confidence: 0.7,
    outcome: "near_miss",
    source: "user",
    ...fields,
  };
}

import { expect, test } from "vitest";
import { createRedact } from "../secrets/redact.ts";
import { type LessonSource, newLesson } from "./new-lesson.ts";
import type { Harm } from "./outcome.ts";

const source = (fields: Partial<LessonSource>): LessonSource => ({
  at: 5,
  sessionId: "ses_1",
  workspace: "/work",
  shape: { action: "bash: git push", isSpecific: true },
  finding: { outcome: "near_miss" },
  redact: createRedact(),
  ...fields,
});
const corrected = { outcome: "corrected" } as const;

test("nothing is learned from a harmless or unknown outcome", () => {
  for (const outcome of ["harmless", "unknown"] as const)
    expect(newLesson(source({ finding: { outcome }, words: "not on Fridays" }))).toBeUndefined();
});

test("nothing is learned from a refusal without a reason, of a person or of the gate", () => {
  expect(newLesson(source({}))).toBeUndefined();
  for (const words of ["no", "No!", "stop", "undo that", "no, stop that right now", ""])
    expect(newLesson(source({ finding: corrected, words })), words).toBeUndefined();
});

test("nothing is learned about a call that is like everyday calls, whatever the reason", () => {
  const shape = { action: "bash: node", isSpecific: false };
  expect(newLesson(source({ finding: corrected, words: "not on Fridays", shape }))).toBeUndefined();
});

test("the words of the user are a short quote without secrets and without quotation marks", () => {
  const words = `no "never” push ghp_${"a1B2c3".repeat(6)}\n${"x".repeat(500)}`;
  const lesson = newLesson(source({ finding: corrected, words }));
  expect(lesson).toMatchObject({ source: "user", principle: "intent", confidence: 0.8 });
  expect(lesson?.rule).toBe("Ask the user before you use bash: git push.");
  expect(lesson?.reflection).toMatch(/^The user objected to it: “no 'never' push .*…”\.$/);
  expect(lesson?.reflection).not.toContain("a1B2c3a1B2c3");
  expect(lesson?.reflection.length).toBeLessThan(170);
});

test("each kind of harm has its principle and its rule, whatever the sentence about it says", () => {
  const harms: readonly Harm[] = ["secret", "files outside", "part destroyed", "not permitted"];
  const learned = harms.map((harm) =>
    newLesson(source({ finding: { outcome: "incident", severity: "high", harm, reason: "A secret outside." } })),
  );
  expect(learned.map((lesson) => [lesson?.source, lesson?.principle, lesson?.confidence])).toEqual([
    ["result", "secrets", 0.8],
    ["result", "boundaries", 0.8],
    ["result", "preservation", 0.8],
    ["result", "boundaries", 0.8],
  ]);
  for (const lesson of learned) expect(lesson?.rule).toContain("bash: git push");
});

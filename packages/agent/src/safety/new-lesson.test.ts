import { expect, test } from "vitest";
import { createRedact } from "../secrets/redact.ts";
import { type LessonSource, newLesson } from "./new-lesson.ts";

const source = (fields: Partial<LessonSource>): LessonSource => ({
  at: 5,
  sessionId: "ses_1",
  workspace: "/work",
  action: "bash: git push",
  finding: { outcome: "near_miss" },
  isFromUser: false,
  redact: createRedact(),
  ...fields,
});

test("nothing is learned from a harmless or unknown outcome", () => {
  for (const outcome of ["harmless", "unknown"] as const)
    expect(newLesson(source({ finding: { outcome } }))).toBeUndefined();
});

test("the words of the user are a short quote without secrets and without quotation marks", () => {
  const words = `no "never” push ghp_${"a1B2c3".repeat(6)}\n${"x".repeat(500)}`;
  const lesson = newLesson(source({ finding: { outcome: "corrected" }, isFromUser: true, words }));
  expect(lesson).toMatchObject({ source: "user", principle: "intent", confidence: 0.8 });
  expect(lesson?.reflection).toMatch(/^The user objected to it: “no 'never' push .*…”\.$/);
  expect(lesson?.reflection).not.toContain("a1B2c3a1B2c3");
  expect(lesson?.reflection.length).toBeLessThan(170);
});

test("each kind of outcome has its principle and its rule", () => {
  const learned = [
    source({ isFromUser: true }),
    source({}),
    source({ tier: 4, patterns: ["eval", "recursive delete"] }),
    source({ finding: { outcome: "incident", severity: "high", reason: "Its output held a secret." } }),
    source({ finding: { outcome: "incident", severity: "low", reason: "It was not permitted by the system." } }),
  ].map(newLesson);
  expect(learned.map((lesson) => [lesson?.source, lesson?.principle, lesson?.confidence])).toEqual([
    ["user", "intent", 0.7],
    ["gate", "transparency", 0.3],
    ["gate", "preservation", 0.5],
    ["result", "secrets", 0.8],
    ["result", "boundaries", 0.4],
  ]);
  for (const lesson of learned) expect(lesson?.rule).toContain("bash: git push");
});

test("a refusal is called destructive only if it was", () => {
  const lessonFrom = (patterns: readonly string[]) => newLesson(source({ tier: 4, patterns }));
  expect(lessonFrom(["history rewrite"])).toMatchObject({
    reflection: "It was refused, since it could destroy something (history rewrite).",
    rule: "Do not use bash: git push in this way: use commands that destroy nothing.",
  });
  expect(lessonFrom(["inline code"])).toMatchObject({
    reflection: "It was refused as dangerous or not fully understood.",
    rule: "Use a plain command in place of bash: git push, or ask the user.",
  });
});

import { expect, test } from "vitest";
import { sampleLesson } from "../../test/sample-lesson.ts";
import type { GateDecision } from "../gate/gate.ts";
import type { Lesson } from "../protocol/lesson.ts";
import { withLessons } from "./stricter-decision.ts";

const lesson: Lesson = { ...sampleLesson({ tier: 2, workspace: "/work" }), id: "lesson_1", timesApplied: 0 };
const allowed: GateDecision = { tier: 2, decision: "allow", reason: "Runs code." };
const options = { now: 0, workspace: "/work", canAsk: true, isSpecific: true };
const answers: readonly GateDecision["decision"][] = ["allow", "ask", "deny"];

test("what the user refused before needs approval, and is denied without a user", () => {
  expect(withLessons(allowed, [lesson], options)).toEqual({
    decision: {
      tier: 2,
      decision: "ask",
      reason:
        "Runs code. Learned before (lesson_1): The user objected to it. Ask the user before you use bash: git push.",
      lessons: ["lesson_1"],
    },
    appliedIds: ["lesson_1"],
    isStricter: true,
  });
  const unattended = withLessons(allowed, [lesson], { ...options, canAsk: false }).decision;
  expect(unattended.decision).toBe("deny");
  expect(unattended.reason).toContain("There is no user to approve it.");
});

test.each<[string, Partial<Lesson>, Partial<GateDecision>, Partial<typeof options>]>([
  ["has little confidence", { confidence: 0.4 }, {}, {}],
  ["has decayed", {}, {}, { now: 31 * 86_400_000 }],
  ["is not from the user", { source: "result" }, {}, {}],
  ["is about everyday calls", {}, {}, { isSpecific: false }],
  ["is about a call that only reads", { tier: 0 }, { tier: 0 }, {}],
  ["is about a call with a higher tier", {}, { tier: 1 }, {}],
  ["is from another workspace", { workspace: "/other" }, {}, {}],
  ["is against a rule of the configuration", {}, { rule: "security.rules[0]" }, {}],
])("a lesson that %s changes no decision", (_, fields, decided, more) => {
  const applied = withLessons({ ...allowed, ...decided }, [{ ...lesson, ...fields }], { ...options, ...more });
  expect(applied).toMatchObject({ decision: { decision: "allow", reason: "Runs code." }, isStricter: false });
});

test("a lesson about everyday calls of a tool is known, and not quoted", () => {
  const denied: GateDecision = { tier: 4, decision: "deny", reason: "So." };
  expect(withLessons(denied, [lesson], { ...options, isSpecific: false })).toEqual({
    decision: { ...denied, lessons: ["lesson_1"] },
    appliedIds: [],
    isStricter: false,
  });
});

test("no lesson makes a decision laxer, and from tier 3 on the reason quotes the strongest", () => {
  for (const decision of answers)
    for (const tier of [0, 1, 2, 3, 4] as const)
      for (const canAsk of [true, false]) {
        const before: GateDecision = { tier, decision, reason: "So." };
        const { decision: after } = withLessons(before, [lesson], { ...options, canAsk });
        expect(answers.indexOf(after.decision)).toBeGreaterThanOrEqual(answers.indexOf(decision));
        if (tier >= 3) expect(after.reason).toContain(lesson.rule);
      }
});

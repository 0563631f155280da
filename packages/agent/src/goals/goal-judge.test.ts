import { describe, expect, test } from "vitest";
import type { Constraint, Criterion, Goal } from "../protocol/goal.ts";
import { createGoalJudge } from "./goal-judge.ts";
import type { JudgeInput } from "./judge.ts";
import { answerOf, judgeInput, modelThatSays } from "./testing/judge-input.ts";

const contains = (text: string, more: object = {}): Criterion => ({ type: "OutputContains", text, ...more });
const goalWith = (criteria: readonly Criterion[], more: Partial<Goal> = {}): Goal => ({
  text: "Win.",
  criteria,
  ...more,
});
const judge = (goal: Goal, more: Partial<JudgeInput> = {}) => createGoalJudge().evaluate(judgeInput(goal, more));
const never = () => Promise.reject(new Error("the model must not be asked"));

describe("criteria of text", () => {
  test.each<[string, Criterion, string, "accept" | "retry"]>([
    ["contained", contains("42"), "It is 42.", "accept"],
    ["not contained", contains("42"), "It is 7.", "retry"],
    ["in another case", contains("YES"), "yes", "retry"],
    ["in another case, ignored", contains("YES", { ignoreCase: true }), "Oh yes.", "accept"],
    ["equal but for spaces", { type: "OutputEquals", text: "42" }, " 42\n", "accept"],
    ["not equal", { type: "OutputEquals", text: "42" }, "It is 42.", "retry"],
  ])("%s", async (_name, criterion, output, verdict) => {
    expect(await judge(goalWith([criterion]), { output, ask: never })).toMatchObject({ type: verdict });
  });

  test("a hint says what is missing", async () => {
    expect(await judge(goalWith([contains("a"), contains("b")]), { output: "a" })).toMatchObject({
      type: "retry",
      hint: 'Still missing:\n- the answer contains "b"',
      evaluation: { score: 0.5, threshold: 1, criteria: [{ isMet: true }, { isMet: false }] },
    });
  });

  test("a hundred wrong answers get a hundred hints: only the guardian ends such a run", async () => {
    const own = createGoalJudge();
    for (let turn = 1; turn <= 100; turn += 1)
      expect((await own.evaluate(judgeInput(goalWith([contains("42")]), { turn }))).type).toBe("retry");
  });
});

test.each([
  [0.5, "a", "accept"],
  [0.75, "a", "accept"],
  [0.76, "a", "retry"],
  [0.25, "b", "accept"],
  [0.3, "b", "retry"],
  [1, "a b", "accept"],
  [1e-10, "", "retry"],
])("with weights 3 and 1 and a threshold of %d, %j is judged as %s", async (threshold, output, verdict) => {
  const goal = goalWith([contains("a", { weight: 3 }), contains("b")], { threshold });
  expect((await judge(goal, { output })).type).toBe(verdict);
});

test("a threshold of 1 needs every criterion, however little it weighs", async () => {
  const criteria = [contains("a", { weight: 1_000_000 }), contains("b", { weight: 0.0001 })];
  expect((await judge(goalWith(criteria), { output: "a" })).type).toBe("retry");
});

test("weights that have no exact sum still add up to all", async () => {
  const criteria = ["a", "b", "c"].map((text) => contains(text, { weight: 0.1 }));
  expect(await judge(goalWith(criteria), { output: "abc" })).toMatchObject({
    type: "accept",
    evaluation: { score: 1 },
  });
});

describe("a turn with calls", () => {
  const tests: Criterion = { type: "Command", command: "npm test" };
  const calls = (turn: number, more: Partial<JudgeInput> = {}): Partial<JudgeInput> => ({
    isAnswer: false,
    turn,
    ...more,
  });
  const commands = (...results: readonly { readonly isOk: boolean; readonly ms?: number }[]) => {
    const run: string[] = [];
    const runCommand: JudgeInput["runCommand"] = async (command) => {
      const result = results[Math.min(run.length, results.length - 1)];
      run.push(command);
      return { output: "1 failed", ms: 5, isOk: false, ...result };
    };
    return { run, runCommand };
  };

  test("is accepted as soon as the text is there", async () => {
    expect((await judge(goalWith([contains("42")]), calls(1, { output: "It is 42, I check." }))).type).toBe("accept");
    expect((await judge(goalWith([contains("42")]), calls(1, { output: "I look." }))).type).toBe("continue");
  });

  test("is accepted by a command that failed before", async () => {
    const own = createGoalJudge();
    const { runCommand } = commands({ isOk: false }, { isOk: true });
    const turn = (number: number) =>
      own.evaluate(judgeInput(goalWith([tests]), calls(number, { hasChanged: true, runCommand })));
    expect([(await turn(1)).type, (await turn(2)).type]).toEqual(["continue", "accept"]);
  });

  test("is not accepted by a command or a check that passed from the start; the answer is", async () => {
    const own = createGoalJudge();
    const custom: Criterion = { type: "Custom", name: "isFine" };
    const goal = goalWith([tests, custom]);
    const turn = (number: number, isAnswer: boolean) =>
      own.evaluate(
        judgeInput(goal, { ...calls(number, { hasChanged: true, checks: { isFine: () => true } }), isAnswer }),
      );
    expect([(await turn(1, false)).type, (await turn(2, false)).type, (await turn(3, true)).type]).toEqual([
      "continue",
      "continue",
      "accept",
    ]);
  });

  test("runs a command again only after a change, and not if it is slow; an answer always runs it", async () => {
    const own = createGoalJudge();
    const { run, runCommand } = commands({ isOk: false }, { isOk: false, ms: 10_001 }, { isOk: true });
    const turn = async (number: number, more: Partial<JudgeInput>) => {
      await own.evaluate(judgeInput(goalWith([tests]), { ...calls(number), runCommand, ...more }));
      return run.length;
    };
    expect(await turn(1, {})).toBe(1); // how it was before the work
    expect(await turn(2, {})).toBe(1);
    expect(await turn(3, { hasChanged: true })).toBe(2);
    expect(await turn(4, { hasChanged: true })).toBe(2); // it took too long
    expect(await turn(5, { isAnswer: true })).toBe(3);
  });

  test("runs no command while the model that decides is not due; other rules count all the same", async () => {
    const { run, runCommand } = commands({ isOk: true });
    const goal = goalWith([tests, { type: "LlmJudge", text: "It is explained." }], {
      constraints: [
        { level: "must", text: "It compiles.", rule: { type: "Command", command: "make" } },
        { level: "must", text: "No shell.", rule: { type: "ForbiddenTools", tools: ["bash"] } },
      ],
    });
    const changed = { hasChanged: true, runCommand };
    expect((await judge(goal, calls(1, changed))).type).toBe("continue");
    expect(run).toHaveLength(0);
    expect((await judge(goal, calls(1, { ...changed, usedTools: () => ["bash"] }))).type).toBe("escalate");
    expect((await judge(goal, calls(1, { ...changed, isModelDue: true }))).type).toBe("accept");
    expect(run).toHaveLength(2);
  });

  test("is not accepted without the model if the goal needs it", async () => {
    const goal = goalWith([contains("42"), { type: "LlmJudge", text: "It is explained." }]);
    expect((await judge(goal, calls(1, { output: "42", ask: never }))).type).toBe("continue");
  });

  test("gets no hint for a constraint that can still be respected", async () => {
    const constraints: Constraint[] = [
      { level: "must", text: "It compiles.", rule: { type: "Command", command: "make" } },
    ];
    const { runCommand } = commands({ isOk: false });
    const goal = goalWith([contains("42")], { constraints });
    expect((await judge(goal, calls(1, { output: "42", runCommand }))).type).toBe("continue");
  });
});

describe("commands and checks of an answer", () => {
  test("the last lines of a failed command are part of the hint", async () => {
    const runCommand: JudgeInput["runCommand"] = async () => ({
      isOk: false,
      output: "1 failed\n[exit code 1]",
      ms: 9,
    });
    const judgement = await judge(goalWith([{ type: "Command", command: "npm test" }]), { runCommand });
    expect(judgement).toMatchObject({
      type: "retry",
      hint: "Still missing:\n- the command succeeds: npm test\n(1 failed\n[exit code 1])",
    });
  });

  test("a command that two parts of a goal name runs once a turn, with its time limit", async () => {
    const run: unknown[] = [];
    const runCommand: JudgeInput["runCommand"] = async (...given) => {
      run.push(given);
      return { isOk: true, output: "", ms: 1 };
    };
    const check = { type: "Command", command: "make", timeoutSecs: 5 } as const;
    await judge(
      goalWith([check, { ...check, weight: 2 }], { constraints: [{ level: "must", text: "m", rule: check }] }),
      {
        runCommand,
      },
    );
    expect(run).toEqual([["make", 5]]);
  });

  test.each<[string, JudgeInput["checks"][string], string | undefined]>([
    ["true", () => true, undefined],
    ["false", async () => false, "It did not pass."],
    ["a sentence", () => "A type is missing.", "A type is missing."],
    ["an error", () => Promise.reject(new Error("no compiler")), "It failed: no compiler"],
    ["nothing", (() => undefined) as never, "It did not pass."],
  ])("a check that returns %s", async (_name, isTyped, reason) => {
    const judgement = await judge(goalWith([{ type: "Custom", name: "isTyped" }]), { checks: { isTyped } });
    expect(judgement.type).toBe(reason === undefined ? "accept" : "retry");
    expect(judgement.evaluation?.criteria[0]?.reason).toBe(reason);
  });

  test("a check gets the answer and the workspace", async () => {
    const seen: unknown[] = [];
    const checks = {
      own: ({ output, workspace }: { output: string; workspace: string }) => seen.push(output, workspace) > 0,
    };
    await judge(goalWith([{ type: "Custom", name: "own" }]), { checks, output: "Done." });
    expect(seen).toEqual(["Done.", "/work"]);
  });

  test("a check that the resumed runtime does not have escalates", async () => {
    expect(await judge(goalWith([{ type: "Custom", name: "isTyped" }]))).toEqual({
      type: "escalate",
      reason: expect.stringContaining('"isTyped" is not; there are none.'),
    });
  });
});

describe("constraints", () => {
  const failing: JudgeInput["runCommand"] = async () => ({ isOk: false, output: "no", ms: 1 });

  /** A rule, the input that respects it, the one that violates it, and the verdict about the violation. */
  const rules: readonly [
    Constraint["rule"] & object,
    Partial<JudgeInput>,
    Partial<JudgeInput>,
    "escalate" | "retry",
  ][] = [
    [{ type: "OutputExcludes", text: "TODO" }, { output: "ok todo" }, { output: "ok TODO" }, "retry"],
    [{ type: "OutputExcludes", text: "TODO", ignoreCase: true }, { output: "ok" }, { output: "ok todo" }, "retry"],
    [{ type: "Command", command: "make" }, {}, { runCommand: failing }, "retry"],
    [{ type: "Custom", name: "own" }, { checks: { own: () => true } }, { checks: { own: () => "no" } }, "retry"],
    [{ type: "MaxTurns", turns: 3 }, { turn: 3 }, { turn: 4 }, "escalate"],
    [{ type: "MaxSeconds", seconds: 2 }, { elapsedMs: 2_000 }, { elapsedMs: 2_001 }, "escalate"],
    [{ type: "MaxCost", cents: 2 }, { costNanoUsd: 20_000_000 }, { costNanoUsd: 20_000_001 }, "escalate"],
    [
      { type: "ForbiddenTools", tools: ["web_*", "bash"] },
      { usedTools: () => ["read"] },
      { usedTools: () => ["read", "web_fetch"] },
      "escalate",
    ],
    [
      { type: "OnlyFiles", files: ["src/**", "README.md"] },
      { writtenFiles: () => ["src/a/b.ts", "README.md"] },
      { writtenFiles: () => ["src/a.ts", "package.json"] },
      "escalate",
    ],
    [
      { type: "OnlyFiles", files: ["**"] },
      { writtenFiles: () => ["a"] },
      { writtenFiles: () => ["/etc/hosts"] },
      "escalate",
    ],
  ];

  test.each(rules)("%j as a must", async (rule, respected, violated, verdict) => {
    const goal = goalWith([contains("ok")], { constraints: [{ level: "must", text: "Mind it.", rule }] });
    const base = { output: "ok", checks: { own: () => true } };
    expect(await judge(goal, { ...base, ...respected })).toMatchObject({
      type: "accept",
      evaluation: { constraints: [{ isRespected: true }] },
    });
    const judgement = await judge(goal, { ...base, ...violated });
    expect(judgement).toMatchObject({ type: verdict, evaluation: { constraints: [{ isRespected: false }] } });
    expect(JSON.stringify(judgement)).toContain("Mind it.");
  });

  test.each(rules)("%j as a should is reported and prevents nothing", async (rule, _respected, violated) => {
    const goal = goalWith([contains("ok")], { constraints: [{ level: "should", text: "Mind it.", rule }] });
    const base = { output: "ok", checks: { own: () => true } };
    expect(await judge(goal, { ...base, ...violated })).toMatchObject({
      type: "accept",
      evaluation: { constraints: [{ level: "should", isRespected: false, reason: expect.any(String) }] },
    });
  });

  test("a violation that cannot be undone ends a run at once, also before its answer", async () => {
    const constraints: Constraint[] = [{ level: "must", text: "Be quick.", rule: { type: "MaxTurns", turns: 3 } }];
    expect(await judge(goalWith([contains("ok")], { constraints }), { isAnswer: false, turn: 4 })).toMatchObject({
      type: "escalate",
      reason: "A constraint is violated: Be quick. (The run has had 4 turns; 3 are allowed.)",
    });
  });

  test.each([
    ["must", "escalate"],
    ["should", "accept"],
  ] as const)("a cost that is unknown: %s, %s", async (level, verdict) => {
    const constraints: Constraint[] = [{ level, text: "Be cheap.", rule: { type: "MaxCost", cents: 1 } }];
    const judgement = await judge(goalWith([contains("ok")], { constraints }), { output: "ok", costNanoUsd: null });
    expect(judgement).toMatchObject({ type: verdict, evaluation: { constraints: [{ isRespected: null }] } });
    if (judgement.type === "escalate")
      expect(judgement.reason).toMatch(/^A constraint cannot be checked: Be cheap\. \(The cost of the run is unknown/);
  });
});

describe("the model", () => {
  const said = (answer: unknown) => ({ ask: modelThatSays(answer).ask });

  test.each<[string, unknown, object]>([
    ["accept", { verdict: "accept" }, { type: "accept", model: "judge", costNanoUsd: 7, evaluation: { score: 1 } }],
    ["retry", { verdict: "retry", hint: "Name it." }, { type: "retry", hint: "Name it.", evaluation: { score: 0 } }],
    ["retry without a hint", { verdict: "retry", reason: "No name." }, { type: "retry", hint: "No name." }],
    ["escalate", { verdict: "escalate", reason: "It cannot." }, { type: "escalate", reason: "It cannot." }],
    ["continue", { verdict: "continue" }, { type: "continue" }],
  ])("a goal with a text only: %s", async (_name, answer, expected) => {
    expect(await judge({ text: "Win." }, said(answer))).toMatchObject(expected);
  });

  const mixed = goalWith([contains("42"), { type: "LlmJudge", text: "It is explained." }]);

  test("is not asked about an answer that a rule has refused already", async () => {
    expect(await judge(mixed, { output: "7", ask: never })).toMatchObject({
      type: "retry",
      hint: expect.stringContaining("42"),
    });
    expect(await judge({ ...mixed, threshold: 0.5 }, { output: "7" })).toMatchObject({ type: "accept" });
  });

  test("decides its own criteria and constraints by their numbers, and no others", async () => {
    const constraints: Constraint[] = [{ level: "should", text: "Be polite." }];
    const answer = {
      verdict: "accept",
      criteria: [
        { number: 1, met: false },
        { number: 2, met: true, reason: "Step by step." },
      ],
      constraints: [{ number: 1, respected: false, reason: "Rude." }],
    };
    expect(await judge({ ...mixed, constraints }, { output: "42", ...said(answer) })).toMatchObject({
      type: "accept",
      evaluation: {
        score: 1,
        criteria: [{ isMet: true }, { isMet: true, reason: "Step by step." }],
        constraints: [{ isRespected: false, reason: "Rude." }],
      },
    });
  });

  test("that accepts against its own numbers is taken as retry", async () => {
    const unmet = { verdict: "accept", criteria: [{ number: 2, met: false, reason: "No steps." }] };
    expect(await judge(mixed, { output: "42", ...said(unmet) })).toMatchObject({
      type: "retry",
      hint: "Still missing:\n- It is explained. (No steps.)",
    });
    const constraints: Constraint[] = [{ level: "must", text: "Be polite." }];
    const violated = { verdict: "accept", constraints: [{ number: 1, respected: false }] };
    expect(await judge({ text: "Win.", constraints }, said(violated))).toMatchObject({
      type: "retry",
      hint: "Still missing:\n- respect this: Be polite.",
    });
  });

  test("is asked every few turns, and may decide before the answer", async () => {
    for (const verdict of ["accept", "retry", "escalate", "continue"])
      expect((await judge({ text: "Win." }, { isAnswer: false, isModelDue: true, ...said({ verdict }) })).type).toBe(
        verdict,
      );
    expect((await judge({ text: "Win." }, { isAnswer: false, ask: never })).type).toBe("continue");
  });

  test("that fails, or cannot be asked, accepts nothing", async () => {
    const unreadable = { type: "unreadable", problem: "No verdict.", model: "judge", costNanoUsd: 7 } as const;
    expect(await judge({ text: "Win." }, { ask: async () => unreadable })).toMatchObject({
      type: "continue",
      problem: "No verdict.",
    });
    const failed = { type: "failed", problem: "It is down.", model: "judge", costNanoUsd: 0 } as const;
    expect(await judge({ text: "Win." }, { ask: async () => failed })).toMatchObject({
      type: "escalate",
      reason: "The answer was not judged: It is down.",
      model: "judge",
    });
    const between = { isAnswer: false, isModelDue: true };
    expect(await judge({ text: "Win." }, { ...between, ask: async () => failed })).toMatchObject({
      type: "continue",
      problem: "It is down.",
    });
    const ended = { type: "failed", problem: "The run has to end.", costNanoUsd: 0 } as const;
    expect(await judge({ text: "Win." }, { ask: async () => ended })).toMatchObject({ type: "continue" });
    const refused = { type: "refused", reason: "No money." } as const;
    expect(await judge({ text: "Win." }, { ask: async () => refused })).toMatchObject({
      type: "escalate",
      reason: "The answer was not judged: No money.",
    });
    expect(
      await judge({ text: "Win." }, { isAnswer: false, isModelDue: true, ask: async () => refused }),
    ).toMatchObject({
      type: "continue",
      problem: "No money.",
    });
  });

  test("gets no secret back into a hint", async () => {
    const ask = async () => answerOf({ verdict: "retry", hint: `Use ${"s3cr3t".repeat(300)}` });
    const redact = (text: string) => text.replaceAll("s3cr3t", "…");
    expect(JSON.stringify(await judge({ text: "Win." }, { ask, redact }))).not.toContain("s3cr");
  });
});

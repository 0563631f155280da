import { defaultPolicy, type Policy } from "@sheepdog/guardian";
import type { Opinion } from "@sheepdog/guardian/opinion";
import { describe, expect, test } from "vitest";
import { call, calls, run, times } from "../../test/builders.ts";
import { analyze } from "./analyze.ts";
import { openQuestions } from "./open-questions.ts";
import type { Question } from "./question.ts";

const beforeForce: Policy = { ...defaultPolicy, secondOpinion: "before-force" };
const always: Policy = { ...defaultPolicy, secondOpinion: "always" };
const look = calls(call("list_dir", { path: "." }, "README.md\nsrc\ntest"));
const stuckRun = run(times(12, look), { id: "a", source: "test", task: "Count the sheep." });
const answering = (opinion: Opinion | undefined) => () => opinion;
const stuck: Opinion = { verdict: "stuck", advice: "Read the README." };

function said({ interventions }: ReturnType<typeof analyze>): string[] {
  return interventions.map(({ level, call: at }) => `${level}@${at}`);
}

describe("questions about a recorded run", () => {
  test("hold the task, the calls so far and what was noticed", () => {
    const [question] = openQuestions(stuckRun, beforeForce, answering(undefined));
    expect(question).toEqual({
      id: "a-3-doom-loop",
      run: "a",
      source: "test",
      call: 3,
      detector: "doom-loop",
      level: "block",
      system: expect.stringContaining("whether an AI agent is stuck"),
      prompt: expect.stringContaining('{"task":"Count the sheep."}'),
    } satisfies Question);
    expect(question?.prompt.match(/"tool":"list_dir"/g)).toHaveLength(4);
  });

  test("a result that is no text is shown as JSON, and none is left out", () => {
    const results = [{ files: 3 }, null];
    const prompts = results.map((result) => {
      const steps = times(4, calls(call("list_dir", {}, result)));
      return openQuestions(run(steps), beforeForce, answering(undefined))[0]?.prompt;
    });
    expect(prompts[0]).toContain('"result":"{\\"files\\":3}"');
    expect(prompts[1]).not.toContain('"result"');
  });

  test("always: they come before the first hint", () => {
    expect(openQuestions(stuckRun, always, answering(undefined))[0]).toMatchObject({ level: "hint", call: 1 });
  });

  test("an answer may lead to a further question, with an id of its own", () => {
    const answers = new Map<string, Opinion>([["a-3-doom-loop", { verdict: "working" }]]);
    const open = openQuestions(stuckRun, beforeForce, ({ id }) => answers.get(id));
    expect(open.map(({ id }) => id)).toEqual(["a-8-doom-loop"]);
  });
});

describe("answers", () => {
  test("without a source of answers nothing is asked, whatever the policy says", () => {
    for (const policy of [beforeForce, always])
      expect(analyze(stuckRun, policy)).toEqual(analyze(stuckRun, defaultPolicy));
  });

  test("without an answer the rules decide", () => {
    const report = analyze(stuckRun, beforeForce, answering(undefined));
    expect(said(report)).toEqual(said(analyze(stuckRun, defaultPolicy)));
    expect(report.opinions).toEqual([
      {
        id: "a-3-doom-loop",
        call: 3,
        turn: 3,
        detector: "doom-loop",
        level: "block",
        verdict: null,
        advice: null,
      },
    ]);
  });

  test("stuck: the advice is told right after the question", () => {
    const report = analyze(stuckRun, beforeForce, answering(stuck));
    expect(said(report)).toEqual(["hint@2", "warn@3", "warn@3", "block@4", "halt@7"]);
    expect(report.interventions[2]?.message).toContain("Read the README.");
    expect(report.opinions).toMatchObject([stuck]);
  });

  test("working: force comes later, and the calls do not count as stuck", () => {
    const report = analyze(stuckRun, beforeForce, answering({ verdict: "working" }));
    expect(said(report)).toEqual(["hint@2", "warn@3"]);
    expect(report.stuck).toBeNull();
    expect(analyze(stuckRun, beforeForce, answering(stuck)).stuck).toMatchObject({ from: 1, to: 11, calls: 11 });
  });

  test("a suspicion alone is not a stuck stretch", () => {
    const reads = ["a", "b", "c"].map((name) => calls(call("read", { path: name }, `the content of ${name}`)));
    const report = analyze(run([...times(2, look), ...reads]), always, answering({ verdict: "unsure" }));
    expect(report).toMatchObject({ interventions: [], stuck: null, opinions: [{ verdict: "unsure" }] });
  });
});

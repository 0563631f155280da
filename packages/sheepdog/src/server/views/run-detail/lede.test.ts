import { describe, expect, test } from "vitest";
import { asked, failedCommand, intervened, intervention, nightRun, runDataOf } from "../../../../test/run-data.ts";
import { plainSentence } from "../../../sentences/say.ts";
import { runRow } from "../run-index/run-row.ts";
import { lede } from "./lede.ts";

describe("the second line of a run", () => {
  test("says when it was warned, who decided, and what the rest cost", () => {
    const night = nightRun();
    expect(plainSentence(runRow(night).sentence)).toBe(
      "npm run migrate failed 212 times the same way; the guardian ended the run at 06:40",
    );
    expect(lede(night)).toEqual([
      { text: "It was warned at 01:16, when it had cost " },
      { strong: "$0.41" },
      { text: ". You let it continue at 01:18. The other " },
      { strong: "$37.79" },
      { text: " bought nothing." },
    ]);
  });

  test("says that a run recovered", () => {
    const bodies = [0, 1, 2].flatMap((index) => failedCommand(index, index, 0.1 * (index + 1)));
    const data = runDataOf([...bodies, [3, intervened("hint", 3)], [5, { type: "GuardianRecovered", episode: "e1" }]], {
      run: { state: "completed", reason: "answered", costNanoUsd: 0.5e9 },
    });
    expect(plainSentence(lede(data))).toBe("It got a hint at 01:03, when it had cost $0.30. It recovered at 01:05.");
    expect(runRow(data).guardian).toEqual({
      level: "hint",
      text: "hint, recovered",
      isRecovered: true,
      isApplied: true,
    });
  });

  test("says what the user answered", () => {
    const block = intervention("block", 3, { question: "Stop?" });
    const answered = (answer: "stop" | "tell" | "none") =>
      plainSentence(
        lede(
          runDataOf([
            ...[0, 1, 2].flatMap((index) => failedCommand(index, index, 0)),
            [3, { type: "GuardianIntervention", intervention: block }],
            [3, asked(block)],
            [4, { type: "QuestionAnswered", questionId: block.id, answer }],
          ]),
        ),
      );
    expect(answered("stop")).toBe("The guardian asked you at 01:03. You stopped it at 01:04.");
    expect(answered("tell")).toBe("The guardian asked you at 01:03. You told it something at 01:04.");
    expect(answered("none")).toBe("The guardian asked you at 01:03. The question at 01:03 got no answer.");
  });

  test("says what the guardian would have done where it only observes", () => {
    const data = runDataOf(
      [
        ...[0, 1, 2].flatMap((index) => failedCommand(index, index, 0.1 * (index + 1))),
        [2, intervened("hint", 3, { isApplied: false })],
        [2, intervened("halt", 8, { isApplied: false })],
      ],
      { run: { costNanoUsd: 1.3e9 } },
    );
    expect(plainSentence(lede(data))).toBe(
      "The guardian would have ended it at 01:02, when it had cost $0.30. It spent another $1.00 after that.",
    );
    expect(runRow(data).guardian?.text).toBe("would have ended");
  });

  test("says that nothing was paid for a demo, whose row costs nothing", () => {
    const night = nightRun();
    const demo = { ...night, summary: { ...night.summary, isDemo: true, costNanoUsd: 0 } };
    expect(plainSentence(lede(demo))).toMatch(/bought nothing\. This is a demo: nothing was paid for it\.$/);
    expect(runRow(demo)).toMatchObject({ isDemo: true, costUsd: 0, loopUsd: 0 });
  });

  test("is empty for a run in which nothing happened", () => {
    expect(lede(runDataOf([]))).toEqual([]);
  });

  test("says when a limit warned before it ended the run", () => {
    const warned = intervened("warn", 1.6e9, { id: "l1/warn", detector: "run-cost", evidence: [] });
    const data = runDataOf([...failedCommand(0, 10, 1.6), [10, warned]], {
      run: { state: "budget_exceeded", reason: "run_budget" },
    });
    expect(plainSentence(lede(data))).toBe("It was warned at 01:10, when it had cost $1.60.");
    expect(runRow(data).guardian?.text).toBe("run cost");
  });
});

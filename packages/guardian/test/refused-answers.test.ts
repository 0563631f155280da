import {
  createGuardian,
  defaultPolicy,
  type GuardianState,
  type JudgeVerdict,
  type Policy,
  step,
} from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { call, message, mute, type PlayOptions, play, restart, says, signal, times } from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const SAME_HINT = "The answer does not say what the repair of the roof costs.";

/** Ten answers and ten hints that have no words in common. */
const subjects = [
  ..."walnut glacier trumpet lantern biscuit harbour velvet pepper saddle".split(" "),
  "copper",
] as const;
const otherHint = (i: number) => `${subjects[i]} missing${i}`;
const otherAnswer = (i: number) => `Report number ${i}: ${subjects[i]}, ${subjects[(i + 3) % 10]}${i}.`;

/** The agent answers, and the judge reads the answer. */
function judged(i: number, hint: string | undefined, verdict: JudgeVerdict = "retry") {
  return [
    says(otherAnswer(i % 10)),
    signal({ type: "verdict", verdict, ...(hint === undefined ? {} : { hint }) }),
    message("automatic"),
  ];
}

/** `<level> <number of the answer>` of each intervention of a run in which every answer is refused. */
function refusals(hints: readonly (string | undefined)[], options: PlayOptions = {}): readonly string[] {
  return hints.flatMap((_, i) => {
    const upTo = (count: number) =>
      play(
        hints.slice(0, count).flatMap((hint, j) => judged(j, hint)),
        options,
      ).summary;
    return upTo(i + 1)
      .slice(upTo(i).length)
      .map((said) => `${said} ${i + 1}`);
  });
}

const repeat = (count: number, hint: string | undefined = SAME_HINT) => Array.from({ length: count }, () => hint);
const different = (count: number) => Array.from({ length: count }, (_, i) => otherHint(i));

describe("what counts", () => {
  test("the same hint three times brings a warning, five times the end of the run", () => {
    expect(refusals(repeat(6))).toEqual(["refused-answers warn 3", "refused-answers halt 5"]);
    const { stop } = play(times(5, (i) => judged(i, SAME_HINT)));
    expect(stop?.reason).toBe("no_progress");
  });

  test("a hint with another word or two is the same hint", () => {
    const hints = repeat(6).map((hint, i) => (i % 2 === 0 ? hint : `Still: ${hint}`));
    expect(refusals(hints)).toEqual(["refused-answers warn 3", "refused-answers halt 5"]);
  });

  test("different hints count half: the warning comes with the fifth, the end with the ninth", () => {
    expect(refusals(different(10))).toEqual(["refused-answers warn 5", "refused-answers halt 9"]);
  });

  test("a figure that moves makes another hint", () => {
    const hints = Array.from({ length: 6 }, (_, i) => `${9 - i} tests fail.`);
    expect(refusals(hints)).toEqual(["refused-answers warn 5"]);
  });

  test("hints that return count one each, those in between a half", () => {
    const hints = Array.from({ length: 8 }, (_, i) => otherHint(i % 2));
    expect(refusals(hints)).toEqual(["refused-answers warn 4", "refused-answers halt 7"]);
  });

  test.each([
    ["no hint", undefined],
    ["an empty hint", ""],
    ["a hint without words", "?!"],
  ])("refusals with %s are the same refusal", (_, hint) => {
    expect(refusals(repeat(6, hint))).toEqual(["refused-answers warn 3", "refused-answers halt 5"]);
  });

  test("a judge that says continue refuses the answer like one that says retry", () => {
    const { summary } = play(times(5, (i) => judged(i, "", i % 2 === 0 ? "continue" : "retry")));
    expect(summary).toEqual(["refused-answers warn", "refused-answers halt"]);
  });

  test("an escalation refuses nothing", () => {
    expect(play(times(9, (i) => judged(i, SAME_HINT, "escalate"))).summary).toEqual([]);
    const ended = times(5, (i) => judged(i, SAME_HINT));
    const resumed = play([...ended, restart, ...judged(5, SAME_HINT, "escalate")]);
    expect(resumed.summary).toEqual(["refused-answers warn", "refused-answers halt"]);
    expect(resumed.stop).toBeUndefined();
  });

  test("a run that is resumed after the end is ended at its next refused answer", () => {
    const ended = times(5, (i) => judged(i, SAME_HINT));
    expect(play([...ended, restart, ...judged(5, SAME_HINT)]).summary).toEqual([
      "refused-answers warn",
      "refused-answers halt",
      "refused-answers halt",
    ]);
  });

  test("work in between does not postpone the end", () => {
    const { summary, recovered } = play(
      times(5, (i) => [
        call("write_file", { path: `src/part-${i}.ts`, content: otherAnswer(i) }, `Wrote ${40 + i} lines.`),
        ...times(6, (k) => call("read_file", { path: `docs/${i}-${k}.md` }, `Chapter ${subjects[k]} of ${i}.`)),
        ...judged(i, SAME_HINT),
      ]),
    );
    expect(summary).toEqual(["refused-answers warn", "refused-answers halt"]);
    expect(recovered).toEqual([]);
  });

  test("a run without a judge is never about refused answers", () => {
    const { summary, state } = play(times(8, () => [says("It costs 40 euros."), message("automatic")]));
    expect(summary).toEqual(["monologue hint", "monologue warn", "monologue halt"]);
    expect(state.refusedAnswers).toEqual([]);
  });
});

describe("what resets it", () => {
  const fourRefusals = times(4, (i) => judged(i, SAME_HINT));

  test.each([
    ["an accepted answer", judged(4, undefined, "accept")],
    ["a message of a person", [message("person")]],
    ["a scheduled message", [message("scheduled")]],
  ])("%s starts the count again, with a warning of its own", (_, reset) => {
    const { summary, recovered, state } = play([...fourRefusals, ...reset]);
    expect(summary).toEqual(["refused-answers warn"]);
    expect(recovered).toEqual(["e1"]);
    expect(state.refusedAnswers).toEqual([]);
    const again = play([...fourRefusals, ...reset, ...fourRefusals]);
    expect(again.summary).toEqual(["refused-answers warn", "refused-answers warn"]);
    expect(again.stop).toBeUndefined();
  });

  test("another run starts with no refusals", () => {
    const { state } = play(fourRefusals, { run: "run_1" });
    expect(play(fourRefusals, { run: "run_1", state }).summary).toEqual(["refused-answers halt"]);
    expect(play([], { run: "run_2", state }).state.refusedAnswers).toEqual([]);
  });

  test("an automatic message, a call and a new process reset nothing", () => {
    const script = fourRefusals.flatMap((each) => [each, restart]);
    const between = [message("automatic"), ...times(1, () => call("read_file", { path: "a.md" }, "Chapter one."))];
    expect(play([...script, ...between, ...judged(4, SAME_HINT)]).summary).toEqual([
      "refused-answers warn",
      "refused-answers halt",
    ]);
  });
});

describe("the state", () => {
  test("a state of a version without refused answers loads and counts from then on", () => {
    const { refusedAnswers: _, ...older } = play(times(2, () => [says("Hello."), message("person")])).state;
    const { summary } = play(
      times(5, (i) => judged(i, SAME_HINT)),
      { state: older },
    );
    expect(summary).toEqual(["refused-answers warn", "refused-answers halt"]);
  });

  test("it keeps no word of a hint, and a bounded number of hints", () => {
    const policy: Policy = { ...defaultPolicy, mode: "observe" };
    const { state } = play(
      times(100, (i) => judged(i, `The passphrase tiramisu${i} is missing. ${"word ".repeat(9_000)}`)),
      { policy },
    );
    expect(JSON.stringify(state)).not.toMatch(/tiramisu|passphrase|word /);
    expect(state.refusedAnswers).toHaveLength(24);
  });

  test.each([[null], ["x"], [[null]], [[7]], [[{}]]])("refused answers of %j never end the run", (refusedAnswers) => {
    const { state } = play(times(2, (i) => judged(i, SAME_HINT)));
    const tampered = { ...state, refusedAnswers } as unknown as GuardianState; // as a damaged file would have it
    const guardian = createGuardian({ now: () => 1, state: tampered });
    expect(() => guardian.observe({ type: "verdict", verdict: "retry", hint: SAME_HINT })).not.toThrow();
  });
});

describe("modes, presets and people", () => {
  const script = times(5, (i) => judged(i, SAME_HINT));

  test("in observe mode all is recorded, and nothing is applied", () => {
    const { interventions, stop } = play(script, { policy: { ...defaultPolicy, mode: "observe" } });
    expect(interventions.map(({ level, isApplied }) => [level, isApplied])).toEqual([
      ["warn", false],
      ["halt", false],
    ]);
    expect(stop).toBeUndefined();
  });

  test("in advise mode the run is warned and ended as in guide mode", () => {
    const { summary, stop } = play(script, { policy: { ...defaultPolicy, mode: "advise" } });
    expect(summary).toEqual(["refused-answers warn", "refused-answers halt"]);
    expect(stop?.reason).toBe("no_progress");
  });

  test("the strict preset warns at the second refusal and ends the run at the fourth", () => {
    expect(refusals(repeat(5), { policy: presets.strict })).toEqual([
      "refused-answers warn 2",
      "refused-answers halt 4",
    ]);
  });

  test.each(["off", "ryvos", "aar", "llm-rb", "tool-guardrails"] as const)("the preset %s knows no judge", (name) => {
    expect(play(script, { policy: { ...presets[name], limits: {} } }).summary).toEqual([]);
  });

  test("a person who watches is asked before the run ends, and may let it continue", () => {
    const { interventions } = play(script, { attended: true });
    expect(interventions.map(({ level, question }) => [level, question])).toEqual([
      ["warn", undefined],
      ["halt", "The judge has refused 5 answers in a row, each with much the same hint."],
    ]);
    const continued = play([...script, mute({ episode: "e1" }), ...script, ...script], { attended: true });
    expect(continued.summary).toEqual(["refused-answers warn", "refused-answers halt"]);
    expect(continued.stop).toBeUndefined();
  });

  test("the detector can be muted", () => {
    expect(play([mute({ detector: "refused-answers" }), ...script, ...script]).summary).toEqual([]);
  });
});

describe("one cause has one name", () => {
  const sameAnswer = () => [
    says("The repair takes two days."),
    signal({ type: "verdict", verdict: "retry", hint: SAME_HINT }),
    message("automatic"),
  ];

  test("the same answer to every hint of the judge is no monologue besides", () => {
    expect(play(times(6, sameAnswer)).summary).toEqual(["refused-answers warn", "refused-answers halt"]);
  });

  test("where refused answers are not looked for, it is a monologue", () => {
    const { "refused-answers": _, ...detectors } = defaultPolicy.detectors;
    expect(play(times(6, sameAnswer), { policy: { ...defaultPolicy, detectors } }).summary).toEqual([
      "monologue hint",
      "monologue warn",
      "monologue halt",
    ]);
  });

  test("replies that no judge has read are a monologue as before", () => {
    const unread = times(3, () => [says("I will look at the roof now."), message("automatic")]);
    expect(play([...sameAnswer(), ...unread]).summary).toEqual(["monologue hint"]);
  });
});

describe("words and signals", () => {
  const messages = (hints: readonly string[]) =>
    play(hints.flatMap((hint, i) => judged(i, hint))).interventions.map((each) => each.message);

  test("the model is told the facts and what to do, the user why the run has ended", () => {
    expect(messages(repeat(5).map(String))).toEqual([
      "The judge has refused 3 answers in a row, each with much the same hint. " +
        "Say what is missing and do something different, or say that it cannot be done and why.",
      "The judge has refused 5 answers in a row, each with much the same hint. The run is ended here.",
    ]);
  });

  test("the number of answers is told, not their weight, and hints that differ are not called the same", () => {
    expect(messages(different(9))).toEqual([
      "The judge has refused 5 answers in a row. " +
        "Say what is missing and do something different, or say that it cannot be done and why.",
      "The judge has refused 9 answers in a row. The run is ended here.",
    ]);
  });

  test.each([
    ["no answer", repeat(5, "")],
    ["only some answers", ["", "", ...repeat(3)]],
    ["only the first answers", [...repeat(4), "", "", "", ""]],
  ])("where %s got a hint, it is not said that all were refused", (_name, hints) => {
    expect(messages(hints.map(String)).at(-1)).toMatch(/^The judge refused or could not judge \d answers in a row\./);
  });

  test.each([
    [{ verdict: "no" }, "Expected verdict of a verdict signal to be one of accept, retry, escalate, continue"],
    [{ verdict: "retry", hint: 7 }, "Expected hint of a verdict signal to be text"],
  ])("a wrong signal is answered with a sentence: %j", (fields, sentence) => {
    const wrong = { type: "verdict", at: 1, ...fields } as unknown as Parameters<typeof step>[2]; // wrong on purpose
    const { state } = play([]);
    expect(step(defaultPolicy, state, wrong)).toMatchObject({ state, problem: expect.stringContaining(sentence) });
  });
});

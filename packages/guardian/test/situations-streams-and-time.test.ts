import {
  createGuardian,
  type DetectorName,
  defaultPolicy,
  type Intervention,
  type Mode,
  type Policy,
  perceiveText,
} from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import {
  call,
  compacted,
  fails,
  message,
  mute,
  type PlayOptions,
  type PlayResult,
  pause,
  play,
  restart,
  type ScriptStep,
  says,
  signal,
  spend,
  streams,
  times,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const observing: Policy = { ...defaultPolicy, mode: "observe" };
const patient: Policy = { ...defaultPolicy, attendedScale: 2 };
const advising: Policy = { ...defaultPolicy, mode: "advise" };
const START = 1_700_000_000_000;

/** A way to be stuck: what happens in each round, who notices, and what the run is ended for. */
interface Loop {
  readonly name: string;
  readonly detector: DetectorName;
  readonly reason: string;
  /** What the first word does; told unless said otherwise. */
  readonly first?: Intervention["effect"];
  readonly rounds: number;
  readonly round: (i: number) => readonly ScriptStep[];
}

function scriptOf({ rounds, round }: Loop): readonly ScriptStep[] {
  return times(rounds, round);
}

/** The round in which the first word was said and the one in which the run was ended, both from one. */
function whenOf({ rounds, round }: Loop, options: PlayOptions = {}): { readonly word: number; readonly stop: number } {
  const script = times(rounds, round);
  const perRound = script.length / rounds;
  const spoken: { at: number; stop: boolean }[] = [];
  let place = 0;
  let known = 0;
  play(script, {
    ...options,
    after: (guardian) => {
      place++;
      const said = guardian.snapshot().issuedIds;
      if (said > known || guardian.stop !== undefined)
        spoken.push({ at: Math.ceil(place / perRound), stop: guardian.stop !== undefined });
      known = said;
    },
  });
  return {
    word: spoken[0]?.at ?? Number.POSITIVE_INFINITY,
    stop: spoken.find((each) => each.stop)?.at ?? Number.POSITIVE_INFINITY,
  };
}

/** Told first, and ended if it insists. */
function climbs(loop: Loop, script: readonly ScriptStep[] = scriptOf(loop), options: PlayOptions = {}): PlayResult {
  const played = play(script, options);
  const first = played.interventions[0];
  expect(first?.detector, `said ${played.summary.join(", ")}`).toBe(loop.detector);
  expect(first?.effect, "the first word").toBe(loop.first ?? "tell");
  expect(first?.level).not.toBe("halt");
  expect(played.stop?.reason, `said ${played.summary.join(", ")}, and went on`).toBe(loop.reason);
  return played;
}

/** Not even a hint. */
function silent(script: readonly ScriptStep[], options: PlayOptions = {}): void {
  expect(
    play(script, options).interventions.map(({ detector, level, message }) => `${detector} ${level}: ${message}`),
  ).toEqual([]);
}

/** A reply that was cut off at its length limit. */
function isCut(text: string): ScriptStep {
  return signal({ type: "reply", stop: "length", calls: 0, words: perceiveText(text) });
}

/** The judge does not accept the answer. */
function refuses(hint: string): ScriptStep {
  return signal({ type: "verdict", verdict: "retry", hint });
}

const turnEnd = signal({ type: "turn-end" });
const nudge = message("automatic");

const answer =
  "The migration is finished: all fourteen tables were moved, the foreign keys were checked, and the old " +
  "schema was archived under the name legacy. Nothing else is open.";
const acknowledgements = [
  "Understood, nothing is left to do.",
  "Acknowledged. The task is complete.",
  "Noted, I have finished already.",
  "Yes, everything was done before.",
  "All work is complete, thank you.",
  "I have no further steps to take.",
  "Okay. There is nothing else here.",
];
const paragraph = (length: number): string => {
  const words = (
    "the council met again to weigh whether granite bridges over northern rivers deserve another season of " +
    "patient repair before winter floods"
  ).split(" ");
  let text = "";
  for (let i = 0; text.length < length - 2; i++)
    text += `${words[(i * 7 + Math.floor(i / 19) * 3) % words.length]}${i % 11 === 10 ? ". " : " "}`;
  return `${text.slice(0, length - 2)}.\n`;
};

/** A stream that repeats a unit without end, after a sane beginning. */
function chanting(unit: string, channel: "text" | "thinking" | "tool-input" = "text"): readonly ScriptStep[] {
  return [
    streams(`Let me look at what the report says about this.\n${unit.repeat(Math.ceil(9_000 / unit.length))}`, channel),
    turnEnd,
  ];
}

function chant(name: string, unit: string, channel: "text" | "thinking" | "tool-input" = "text"): Loop {
  return {
    name,
    detector: "chant",
    reason: "chant",
    first: "interrupt",
    rounds: 8,
    round: () => chanting(unit, channel),
  };
}

const full = signal({ type: "usage", used: {}, isPriced: true, context: { tokens: 198_000, max: 200_000 } });

const loops: readonly Loop[] = [
  {
    name: "29: a stop hook and an acknowledgement, one after the other",
    detector: "monologue",
    reason: "monologue",
    rounds: 40,
    round: (i) => [nudge, says(acknowledgements[i % acknowledgements.length] as string)],
  },
  {
    name: "30: announcing the next step in other words, and never taking it",
    detector: "monologue",
    reason: "monologue",
    rounds: 30,
    round: (i) => [
      says(
        [
          "I will now read the configuration file and then update the port number in it.",
          "Next I will read the configuration file, and update the port number in it.",
          "Now I am going to read the configuration file and update the port number there.",
          "Let me read the configuration file now, then I will update the port number in it.",
        ][i % 4] as string,
      ),
    ],
  },
  {
    name: '31: the same final answer to every "continue"',
    detector: "monologue",
    reason: "monologue",
    rounds: 20,
    round: () => [nudge, says(answer)],
  },
  chant("32: one sentence", "I should check the configuration file once more. "),
  chant("32: one token", "The the the "),
  chant("32: one capitalised word", "Buffalo "),
  chant("32: one digit", "7"),
  chant("32: groups of digits", "0137 "),
  chant("32: one word without spaces", "hahaha"),
  chant("32: a sentence in another script", "我需要再检查一次配置文件。"),
  chant("33: a paragraph of 300 characters", paragraph(300)),
  chant("33: a paragraph of 640 characters", paragraph(640)),
  chant("33: a paragraph of 1,000 characters", paragraph(1_000)),
  chant("34: in the thinking only", "Wait, maybe the cache is stale. Let me reconsider the cache. ", "thinking"),
  chant("35: in a code block", "```ts\nconst value = compute(value);\nif (value === undefined) return;\n"),
  chant("35: in a list", "- Check the logs for errors and report them\n"),
  chant("35: as the input of a tool", '{"path":"src/index.ts","line":1},', "tool-input"),
  { name: "36: empty replies", detector: "monologue", reason: "monologue", rounds: 20, round: () => [nudge, says("")] },
  {
    name: "36: replies of thinking only",
    detector: "monologue",
    reason: "monologue",
    rounds: 20,
    round: (i) => [
      nudge,
      streams(
        `The user wants item ${i} of the list; perhaps file ${i * 3} has it. I could look there next.`,
        "thinking",
      ),
      says(""),
    ],
  },
  {
    name: "40: compacted, and as full as before",
    detector: "compaction",
    reason: "context_budget",
    rounds: 10,
    round: () => [full, compacted, full, turnEnd],
  },
  {
    name: "42: one subagent after the other gets stuck",
    detector: "stuck-child",
    reason: "no_progress",
    rounds: 12,
    round: (i) => [
      signal({ type: "child-start", id: `child_${i}`, depth: 1 }),
      pause(60_000),
      signal({ type: "child-end", id: `child_${i}`, depth: 1, findings: ["doom-loop"] }),
      turnEnd,
    ],
  },
  {
    name: "42: an agent that calls itself",
    detector: "spawn",
    reason: "spawn_limit",
    first: "deny",
    rounds: 20,
    round: (i) => [signal({ type: "child-start", id: `self_${i}`, depth: i + 1 }), turnEnd],
  },
  {
    name: "43: A delegates to B, and B back to A",
    detector: "spawn",
    reason: "spawn_limit",
    first: "deny",
    rounds: 20,
    round: (i) => [
      signal({ type: "child-start", id: `${i % 2 === 0 ? "agent-b" : "agent-a"}_${i}`, depth: i + 1 }),
      pause(20_000),
      turnEnd,
    ],
  },
  {
    name: "a judge that refuses the same answer with the same hint",
    detector: "refused-answers",
    reason: "no_progress",
    rounds: 12,
    round: () => [says(answer), refuses("The archive is not named."), nudge],
  },
  {
    name: "a judge that always finds something else",
    detector: "refused-answers",
    reason: "no_progress",
    rounds: 24,
    round: (i) => [says(`${answer} Part ${i}.`), refuses(`Table${i} lacks key${i}.`), nudge],
  },
  {
    name: '47: cut off at its length, and "continue" brings the same beginning again',
    detector: "monologue",
    reason: "monologue",
    rounds: 20,
    round: () => [nudge, isCut(`${answer} ${paragraph(500)}`), turnEnd],
  },
];

const named = loops.map((loop) => [loop.name, loop] as const);

describe("true loops climb the ladder", () => {
  test.each(named)("%s", (_, loop) => {
    climbs(loop);
  });

  test.each(named)("%s, also with a new process in each round", (_, loop) => {
    const once = climbs(loop);
    const script = times(loop.rounds, (i) => [...loop.round(i), restart]);
    // Once ended, the run is ended again in each process; the interventions before the end count.
    const upToStop = (said: readonly string[]) => said.slice(0, said.findIndex((each) => each.endsWith("halt")) + 1);
    const again = play(script);
    expect(upToStop(again.summary)).toEqual(upToStop(once.summary));
    expect(upToStop(again.summary).length).toBeGreaterThan(0);
  });

  test.each(named)("%s, in advise: messages and the end of the run, no refusal", (_, loop) => {
    const played = play(scriptOf(loop), { policy: advising });
    expect(played.interventions.filter((each) => each.effect === "deny")).toEqual([]);
    expect(played.refused).toBe(0);
    expect(played.interventions[0]?.level).toMatch(/hint|warn/);
    expect(played.stop?.reason).toBe(loop.reason);
  });

  test.each(named)("%s, in observe: all interventions are computed, none is applied", (_, loop) => {
    const played = play(scriptOf(loop), { policy: observing });
    expect(played.interventions.length).toBeGreaterThan(0);
    expect(played.interventions.filter((each) => each.isApplied)).toEqual([]);
    expect(played.interventions.some((each) => each.level === "halt")).toBe(true);
    expect(played.refused).toBe(0);
    expect(played.stop).toBeUndefined();
  });

  test.each(named)("%s, muted: silence", (_, loop) => {
    expect(play([mute({ detector: loop.detector }), ...scriptOf(loop)]).summary).toEqual([]);
  });

  test.each(named)("%s, muted after the first word: no other word", (_, loop) => {
    const { word } = whenOf(loop);
    const script = times(loop.rounds, (i) =>
      i === word ? [mute({ detector: loop.detector }), ...loop.round(i)] : loop.round(i),
    );
    const played = play(script);
    expect(played.interventions.every((each) => each.detector === loop.detector)).toBe(true);
    expect(played.summary.length).toBeLessThanOrEqual(1);
    expect(played.stop).toBeUndefined();
  });

  test.each(named)("%s, watched by a person: all as early", (_, loop) => {
    expect(whenOf(loop, { attended: true })).toEqual(whenOf(loop));
  });

  test.each(named)("%s, attended, with a scale of 2: the first word as early, the end later", (_, loop) => {
    const alone = whenOf(loop);
    const attended = whenOf({ ...loop, rounds: 3 * loop.rounds }, { attended: true, policy: patient });
    const isRefusal = loop.first === "deny"; // its first word is a block, which is doubled
    if (!isRefusal) expect(attended.word).toBe(alone.word);
    expect(attended.stop).toBeGreaterThan(alone.stop);
    expect(attended.stop).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  test("identical messages reach the rungs at 3, 4 and 6; with an attended scale of 2, the run ends at 12", () => {
    const loop = loops.find((each) => each.name.startsWith("31")) as Loop;
    expect(climbs(loop).summary).toEqual(["monologue hint", "monologue warn", "monologue halt"]);
    expect(whenOf(loop)).toEqual({ word: 3, stop: 6 });
    expect(whenOf(loop, { attended: true, policy: patient })).toEqual({ word: 3, stop: 12 });
  });

  test("futile compactions warn at the second and end the run at the third", () => {
    const loop = loops.find((each) => each.name.startsWith("40")) as Loop;
    expect(whenOf(loop)).toEqual({ word: 2, stop: 3 });
    expect(whenOf(loop, { attended: true, policy: patient })).toEqual({ word: 2, stop: 6 });
  });

  test("29: the message for the model comes with the end of the turn, once, and names the evidence", () => {
    const guardian = createGuardian({ now: () => START });
    const told: Intervention[] = [];
    for (let i = 0; i < 5; i++) {
      guardian.userMessage("automatic");
      guardian.message(answer);
      told.push(...guardian.endTurn());
    }
    expect(told.map((each) => each.level)).toEqual(["hint", "warn"]);
    expect(told[0]?.message).toMatch(/3 replies/);
  });

  test("30: a person who answers in between makes it a conversation", () => {
    silent(times(20, () => [message(), says("Shall I continue with the next chapter of the book?")]));
  });

  test("31: in observe there is no message at the end of a turn", () => {
    const guardian = createGuardian({ now: () => START, policy: observing });
    for (let i = 0; i < 12; i++) {
      guardian.userMessage("automatic");
      guardian.message(answer);
      expect(guardian.endTurn()).toEqual([]);
    }
    expect(guardian.stop).toBeUndefined();
  });

  test.each([1, 2, 3, 5, 13, 63, 64, 65, 400, 5_000])(
    "34: the same is seen when the stream comes %i characters at a time",
    (size) => {
      const text = `First I look around. ${"Hmm, but the lock may be held by the other thread. ".repeat(60)}`;
      const guardian = createGuardian({ now: () => START });
      guardian.observe({ type: "stream-start" });
      let seenAt = -1;
      for (let i = 0; i < text.length && seenAt < 0; i += size) {
        const said = guardian.delta("thinking", text.slice(i, i + size));
        if (said.some((each) => each.effect === "interrupt")) seenAt = Math.min(i + size, text.length);
      }
      expect(seenAt).toBeGreaterThan(0);
      expect(seenAt).toBeLessThanOrEqual(Math.min(text.length, 1_000 + size));
      expect(guardian.endTurn().map((each) => each.detector)).toEqual(["chant"]);
    },
  );

  test("32: every stream that chants is interrupted, not only the first", () => {
    const guardian = createGuardian({ now: () => START, attended: true, policy: patient });
    for (let round = 0; round < 5; round++) {
      guardian.observe({ type: "stream-start" });
      const said = guardian.delta("text", "I am sorry. ".repeat(200));
      expect(
        said.filter((each) => each.effect === "interrupt" && each.isApplied),
        `stream ${round + 1}`,
      ).toHaveLength(1);
      guardian.endTurn();
    }
  });

  test("32: what is cut off leaves the beginning and two repetitions", () => {
    const beginning = "Here is the summary you asked for, in a sentence. ";
    const unit = "All systems are nominal today. ";
    const text = beginning + unit.repeat(100);
    const guardian = createGuardian({ now: () => START });
    guardian.observe({ type: "stream-start" });
    let streamed = "";
    let cut: Intervention | undefined;
    for (let i = 0; i < text.length && cut === undefined; i += 5) {
      streamed += text.slice(i, i + 5);
      cut = guardian.delta("text", text.slice(i, i + 5)).find((each) => each.effect === "interrupt");
    }
    expect(cut).toMatchObject({ detector: "chant", effect: "interrupt", isApplied: true });
    expect(streamed.length).toBeGreaterThan(beginning.length + 5 * unit.length);
    // The beginning ends in ". " as the unit does, so the repetition begins there, and two of it end as much sooner.
    expect(streamed.slice(0, -(cut?.surplus ?? 0))).toBe(`${beginning}${unit}${unit}`.slice(0, -2));
  });

  test("32: a chant is found soon: within some 1,500 characters", () => {
    const guardian = createGuardian({ now: () => START });
    guardian.observe({ type: "stream-start" });
    expect(guardian.delta("text", "Thank you for waiting. ".repeat(66)).map((each) => each.effect)).toEqual([
      "interrupt",
    ]);
  });

  test("34: thinking that chants is caught although the text before it was fine", () => {
    const played = play([
      signal({ type: "stream-start" }),
      signal({ type: "delta", channel: "text", text: paragraph(900) }),
      ...times(60, () =>
        signal({ type: "delta", channel: "thinking", text: "Is it the clock? No. Is it the queue? No. " }),
      ),
    ]);
    expect(played.summary[0]).toMatch(/^chant/);
  });

  test("40: a compaction that brings relief is never counted, however many there are", () => {
    silent(
      times(20, (i) => [
        full,
        compacted,
        signal({ type: "usage", used: {}, isPriced: true, context: { tokens: 40_000, max: 200_000 } }),
        turnEnd,
        ...times(4, (k) =>
          call(
            "read",
            { path: `part-${i}-${k}.md` },
            `chapter ${i} ${k}: words${i * 31 + k} lines${i * 17 + k} more${k * 7 + i}`,
          ),
        ),
      ]),
    );
  });

  test("42: a parent that starts the same failing subagent again and again", () => {
    const played = play(
      times(14, (i) => [
        signal({ type: "child-start", id: `child_${i}`, depth: 1 }),
        signal({ type: "child-end", id: `child_${i}`, depth: 1, findings: ["failing-call"] }),
        fails("spawn", { task: "make the deployment work" }, "The subagent was ended: it repeated a failing call."),
      ]),
    );
    expect(played.summary[0]).toMatch(/ (hint|warn)$/);
    expect(played.stop).toBeDefined();
  });

  test("42: a successful subagent in between resets the count of stuck ones", () => {
    silent(
      times(12, (i) => [
        signal({ type: "child-start", id: `c${i}`, depth: 1 }),
        pause(40_000),
        signal({ type: "child-end", id: `c${i}`, depth: 1, findings: i % 2 === 0 ? ["doom-loop"] : [] }),
        turnEnd,
      ]),
    );
  });

  test("42: subagents as deep, as many and as fast as allowed are allowed", () => {
    silent([
      ...times(4, (i) => signal({ type: "child-start", id: `deep_${i}`, depth: i + 1 })),
      ...times(46, (i) => [
        signal({ type: "child-start", id: `wide_${i}`, depth: 1 }),
        pause(5_000),
        signal({ type: "child-end", id: `wide_${i}`, depth: 1, findings: [] }),
      ]),
    ]);
  });

  test("42: the subagent that is one too many is refused by its id, and the refusal says why", () => {
    const guardian = createGuardian({ now: () => START });
    const start = (i: number) => guardian.observe({ type: "child-start", id: `c${i}`, depth: 1 });
    for (let i = 0; i < 20; i++) expect(start(i)).toEqual([]);
    const [refusal] = start(20);
    expect(refusal).toMatchObject({ effect: "deny", denies: { callId: "c20" }, isApplied: true });
    expect(refusal?.message).toMatch(/20 .*minute/);
  });

  test("43: the same handoff back and forth, seen as calls", () => {
    const played = play(
      times(14, () => [
        call("transfer_to_billing", { reason: "the customer asks about an invoice" }, "Transferred to billing."),
        call("transfer_to_support", { reason: "the invoice is a support matter" }, "Transferred to support."),
      ]),
    );
    expect(played.summary[0]).toMatch(/ (hint|warn)$/);
    expect(played.stop).toBeDefined();
  });

  test("47: continuations with something new are no loop", () => {
    const chapters = times(10, (i) => [
      nudge,
      isCut(
        Array.from(
          { length: 120 },
          (_, k) => `${["river", "stone", "market", "winter", "sailor", "garden"][(k + i) % 6]}${i * 131 + k * 7}`,
        ).join(" "),
      ),
      turnEnd,
    ]);
    silent(chapters);
  });
});

describe("limits stop in every mode", () => {
  test.each<[string, Policy]>([
    ["guide", defaultPolicy],
    ["advise", advising],
    ["observe", observing],
    ["off", presets.off],
    ["off, observing", { ...presets.off, mode: "observe" as Mode }],
  ])("%s: while loops are handled as the mode says, a limit ends the run", (_, policy) => {
    const played = play(
      times(30, (i) => spend((i + 1) * 1_000_000)),
      { policy: { ...policy, limits: { "run-cost": { warn: 8_000_000, stop: 10_000_000 } } } },
    );
    expect(played.summary).toEqual(["run-cost warn", "run-cost halt"]);
    expect(played.interventions.every((each) => each.isApplied)).toBe(true);
    expect(played.stop?.reason).toBe("run_budget");
  });
});

const log = (i: number) =>
  `2026-03-04T10:${String(10 + (i % 50)).padStart(2, "0")}:0${i % 10}Z WARN pool exhausted, retrying in ` +
  `${100 + i * 7} ms`;

describe("legitimate repetition gets not even a hint", () => {
  const outputs: readonly (readonly [name: string, text: string])[] = [
    [
      "table",
      "| city | people | area |\n|---|---|---|\n" +
        `${lines(80, (i) => `| City ${i} | ${i * 1_337 + 40_000} | ${i * 3 + 12} km² |`)}`,
    ],
    [
      "table with mostly empty cells",
      `| test | passed | failed | skipped |\n|---|---|---|---|\n${lines(60, (i) => `| case-${i} | ✓ | | |`)}`,
    ],
    [
      "bullet list",
      lines(80, (i) => `- Item ${i}: the ${["red", "blue", "green", "old", "new"][i % 5]} one from shelf ${i * 7}`),
    ],
    ["checklist", lines(60, (i) => `- [x] Rename the import in module ${i}`)],
    [
      "list with a long common prefix",
      lines(60, (i) => `https://docs.example.com/reference/platform/latest/configuration/options/entry-${i * 13}.html`),
    ],
    [
      "JSON array",
      JSON.stringify(
        Array.from({ length: 90 }, (_, i) => ({ id: i, name: `user${i}`, active: i % 3 === 0, tags: ["a", "b"] })),
      ),
    ],
    [
      "JSON array of equal flags",
      JSON.stringify({ size: 100, flags: Array.from({ length: 100 }, () => false), name: "mask" }),
    ],
    ["CSV", `id,name,amount,currency\n${lines(120, (i) => `${i},customer ${i},${(i * 37) % 900}.00,EUR`)}`],
    [
      "poetry",
      Array.from(
        { length: 10 },
        (_, i) =>
          `The ${["river", "mountain", "harbour", "meadow", "tower"][i % 5]} waits for verse ${i + 1},\n` +
          `and the ${["lark", "wind", "tide", "bell", "rain"][(i * 3) % 5]} replies in turn.\nO carry me ` +
          "home, o carry me home,\nwhere the lamps of evening burn.\n",
      ).join("\n"),
    ],
    [
      "translations",
      lines(
        60,
        (i) =>
          `"${["house", "tree", "water", "street", "bread"][i % 5]} ${i}" → ` +
          `"${["maison", "arbre", "eau", "rue", "pain"][i % 5]} ${i}"`,
      ),
    ],
    ["ASCII art", Array.from({ length: 24 }, (_, i) => `${" ".repeat(24 - i)}${"*".repeat(2 * i + 1)}`).join("\n")],
    ["a drawn box", `+${"-".repeat(76)}+\n${lines(12, () => `|${" ".repeat(76)}|`)}\n+${"-".repeat(76)}+\n`],
    [
      "dividers",
      Array.from(
        { length: 8 },
        (_, i) => `${"=".repeat(80)}\nSection ${i}: what was found in part ${i * 3}\n${"-".repeat(80)}\n`,
      ).join("\n"),
    ],
    ["a long divider", `Results\n${"─".repeat(500)}\nAll 14 checks passed.`],
    ["table of zeros", lines(20, (i) => `row ${i}: 0 0 0 0 0 0 0 0 0 0 ${i * 11}`)],
  ];
  test.each(outputs)("71: a long %s", (_, text) => {
    silent(times(3, () => [streams(text), turnEnd]));
  });

  const code: readonly (readonly [name: string, text: string])[] = [
    ["getters", lines(40, (i) => `  get field${i}(): string {\n    return this.values.field${i};\n  }\n`)],
    [
      "test cases",
      lines(
        30,
        (i) =>
          `test("adds ${i} and ${i + 1}", () => {\n  const result = add(${i}, ${i + 1});\n  ` +
          `expect(result).toBe(${2 * i + 1});\n});\n`,
      ),
    ],
    [
      "equal handlers in a fence",
      `\`\`\`go\n${lines(30, (i) => `if err := step${i}(ctx); err != nil {\n\treturn nil, err\n}`)}\n\`\`\``,
    ],
    ["SQL inserts", lines(60, (i) => `INSERT INTO users (id, name, role) VALUES (${i}, 'user${i}', 'reader');`)],
    ["imports", lines(40, (i) => `import { Component${i} } from "./components/Component${i}";`)],
    [
      "a minimal HTML list",
      `<ul>\n${lines(50, (i) => `  <li class="item"><a href="/p/${i}">Page ${i}</a></li>`)}\n</ul>`,
    ],
    [
      "a bitmap in hex",
      lines(30, (i) => `  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x${(i * 7).toString(16).padStart(2, "0")},`),
    ],
  ];
  test.each(code)("72: boilerplate: %s, as text and as the input of a tool", (_, text) => {
    silent([
      streams(text),
      turnEnd,
      streams(text, "tool-input"),
      turnEnd,
      streams(`Here it is:\n\n\`\`\`\n${text}\n\`\`\`\n`),
      turnEnd,
    ]);
  });

  test("73: log lines with their times are quoted", () => {
    silent([
      streams(`The service logs this over and over:\n\n\`\`\`\n${lines(60, log)}\n\`\`\`\nThe pool is too small.`),
      turnEnd,
    ]);
  });

  // From 400 characters on the very same line is a chant, wherever it stands (35).
  test.each([5, 8])("73: %i equal log lines are quoted and then explained", (count) => {
    const quoted = lines(count, () => "Error: connect ECONNREFUSED 127.0.0.1:5432");
    silent([
      streams(
        `The command printed:\n\n\`\`\`\n${quoted}\n\`\`\`\n\nThe database is not running, so I will start it first.`,
      ),
      turnEnd,
    ]);
  });

  test("74: half an hour of continuous thinking", () => {
    const thought = (i: number) =>
      `Step ${i}: so ${["alpha", "beta", "gamma", "delta"][i % 4]}${i * 7} must hold for case ${i * 3}. `;
    silent([
      signal({ type: "stream-start" }),
      signal({ type: "waiting", for: "stream" }),
      ...times(90, (i) => [signal({ type: "delta", channel: "thinking", text: thought(i) }), pause(20_000)]),
      turnEnd,
    ]);
  });

  test("74: a build of ten minutes: the user is informed once, the model after its end, and nothing is ended", () => {
    const guardian = createGuardian({ now: () => START });
    expect(guardian.beforeCall({ id: "c1", tool: "bash", args: { command: "make all" } })).toEqual({ allow: true });
    const said = guardian.observe({ type: "waiting", for: "tool" });
    const ticks = Array.from({ length: 30 }, (_, i) =>
      guardian.observe({ type: "tick", at: START + (i + 1) * 20_000 }),
    );
    guardian.afterCall("c1", { status: "ok", content: "built in 598 s" });
    expect(said).toEqual([]);
    expect(ticks.flat()).toEqual([
      expect.objectContaining({ detector: "stall", level: "hint", effect: "tell", isForUser: true }),
    ]);
    expect(ticks.findIndex((each) => each.length > 0)).toBe(5); // after 120 seconds
    expect(guardian.endTurn().map(({ level, message }) => `${level}: ${message}`)).toEqual([
      expect.stringMatching(/^hint: A call to "bash" took 600 seconds\./),
    ]);
    expect(guardian.stop).toBeUndefined();
  });

  test("74: a day of waiting for a person's approval", () => {
    silent([
      signal({ type: "waiting", for: "approval" }),
      pause(86_400_000),
      ...times(2, (i) => call("bash", { command: `deploy ${i}` }, `deployed ${i}`)),
    ]);
  });

  test("75: a parent waits two hours for a subagent", () => {
    silent([
      signal({ type: "child-start", id: "c1", depth: 1 }),
      signal({ type: "waiting", for: "child" }),
      pause(7_200_000),
      signal({ type: "child-end", id: "c1", depth: 1, findings: [] }),
      turnEnd,
    ]);
  });

  test("76: a slow local model: the first token comes after 90 seconds, turn after turn", () => {
    silent(
      times(20, (i) => [
        signal({ type: "waiting", for: "first-byte" }),
        pause(90_000),
        signal({ type: "stream-start" }),
        streams(`Chapter ${i}: ${paragraph(120 + i)}`),
        ...times(1, () =>
          call("write_chapter", { number: i, text: `chapter ${i} of the ${i * 17}th book` }, `saved chapter ${i}`),
        ),
      ]),
    );
  });

  test("77: waiting for a rate limit is no stall", () => {
    silent(
      times(5, (i) => [
        signal({ type: "waiting", for: "rate-limit" }),
        pause(1_200_000),
        signal({ type: "waiting", for: "stream" }),
        pause(10_000),
        ...times(1, () => call("read", { path: `chapter-${i}.md` }, `words of chapter ${i}: ${i * 91} ${i * 37}`)),
      ]),
    );
  });

  test("77: waiting for a rate limit counts as run time: the time limit ends it", () => {
    const policy: Policy = { ...defaultPolicy, limits: { time: { stop: 300_000 } }, detectors: {} };
    const played = play([signal({ type: "waiting", for: "rate-limit" }), pause(310_000)], { policy });
    expect(played.stop?.reason).toBe("timeout");
  });

  test("77: waiting for an approval does not count as run time", () => {
    const policy: Policy = { ...defaultPolicy, limits: { time: { stop: 300_000 } }, detectors: {} };
    const played = play([signal({ type: "waiting", for: "approval" }), pause(1_200_000)], { policy });
    expect(played.stop).toBeUndefined();
  });

  test("77: working time continues after the wait, and the time limit still applies", () => {
    const policy: Policy = { ...defaultPolicy, limits: { time: { stop: 300_000 } } };
    const played = play(
      [
        signal({ type: "waiting", for: "approval" }),
        pause(600_000),
        signal({ type: "waiting", for: "tool" }),
        pause(310_000),
      ],
      {
        policy: { ...policy, detectors: {} },
      },
    );
    expect(played.stop?.reason).toBe("timeout");
  });
});

describe("budgets and stalls", () => {
  const limited = (limits: Policy["limits"], more: Partial<Policy> = {}): Policy => ({
    ...defaultPolicy,
    ...more,
    limits,
  });
  const usage = (used: Readonly<Record<string, number>>, more: object = {}) =>
    signal({ type: "usage", used, isPriced: true, ...more });

  // 81 is the runtime's alone: cached tokens are priced where requests are recorded; the guardian gets totals in
  // nano-dollars.

  test("82: an unknown price under a limit of money is never passed over in silence", () => {
    const unpriced = signal({ type: "usage", used: { "run-tokens": 10 }, isPriced: false });
    const refusing = play([unpriced], { policy: limited({ "run-cost": { stop: 1_000_000_000 } }) });
    expect(refusing.stop?.reason).toBe("run_budget");
    expect(refusing.stop?.message).toMatch(/price/);
    const counting = play(
      times(5, () => unpriced),
      { policy: limited({ "run-cost": { stop: 1_000_000_000 } }, { unpriced: "count-tokens" }) },
    );
    expect(counting.summary).toEqual(["run-cost warn"]);
    expect(counting.interventions[0]?.message).toMatch(/price/);
  });

  test("82: also where the limit only warns", () => {
    const played = play([signal({ type: "usage", used: { "run-tokens": 10 }, isPriced: false })], {
      policy: limited({ "month-cost": { warn: 1_000_000_000 } }),
    });
    expect(played.interventions).toEqual([
      expect.objectContaining({ detector: "month-cost", level: "warn", effect: "tell", isForUser: true }),
    ]);
    expect(played.interventions[0]?.message).toMatch(/\$1\.00 for this month.*price/);
    expect(played.stop).toBeUndefined();
  });

  test("82: without a money limit an unknown price does not matter", () => {
    silent([signal({ type: "usage", used: { "run-tokens": 10 }, isPriced: false })], {
      policy: limited({ "run-tokens": { stop: 1_000 } }),
    });
  });

  test("83: the request that crosses the limit is the last, and there is a question to ask before it", () => {
    let requests = 0;
    const guardian = createGuardian({ now: () => START, policy: limited({ "run-cost": { stop: 100 } }) });
    let spent = 0;
    let isNear = false;
    while (guardian.stop === undefined && requests < 100) {
      isNear ||= guardian.nearBudget();
      spent += 7;
      requests++;
      guardian.observe({ type: "usage", used: { "run-cost": spent }, isPriced: true });
    }
    expect(spent).toBe(105);
    expect(isNear).toBe(true);
  });

  test("84: subagents at work at the same time count to one budget", () => {
    const child = (id: string, tokens: number) =>
      signal({ type: "usage", used: { "run-tokens": tokens }, isPriced: true, child: id });
    const played = play(
      [
        ...["a", "b", "c"].map((id) => signal({ type: "child-start", id, depth: 1 })),
        usage({ "run-tokens": 100 }),
        child("a", 300),
        child("b", 300),
        child("c", 299),
        child("c", 300),
      ],
      { policy: limited({ "run-tokens": { stop: 1_000 } }) },
    );
    expect(played.summary).toEqual(["run-tokens halt"]);
    expect(played.interventions[0]?.count).toBe(1_000);
  });

  test("85: what was spent is carried over a restart", () => {
    const script = [
      usage({ "run-tokens": 900, "session-cost": 900 }),
      restart,
      restart,
      usage({ "run-tokens": 1_000 }),
    ];
    expect(play(script, { policy: limited({ "run-tokens": { warn: 800, stop: 1_000 } }) }).summary).toEqual([
      "run-tokens warn",
      "run-tokens halt",
    ]);
    expect(play(script, { policy: limited({ "session-cost": { stop: 900 } }) }).stop?.reason).toBe("session_budget");
  });

  test("85: a new name of the day or month in the ledger is a new budget, whatever the clock says", () => {
    const day = (name: string, nano: number) =>
      signal({ type: "usage", used: { "day-cost": nano }, isPriced: true, day: name });
    expect(
      play([day("2026-03-01", 90), day("2026-03-01", 95), day("2026-03-02", 5), day("2026-03-02", 85)], {
        policy: limited({ "day-cost": { warn: 80, stop: 100 } }),
      }).summary,
    ).toEqual(["day-cost warn", "day-cost warn"]);
  });

  test("86: a total sent twice counts once, and a request without usage throws nothing", () => {
    const policy = limited({ "run-tokens": { stop: 1_000 } });
    silent(
      times(30, () => usage({ "run-tokens": 600 })),
      { policy },
    );
    silent([usage({}), signal({ type: "usage", used: {}, isPriced: true }), turnEnd], { policy });
  });

  test("87: where dollars are zero, tokens, turns and time still end the run", () => {
    const free = (i: number) => usage({ "run-cost": 0, "run-tokens": (i + 1) * 100 });
    const cost = { "run-cost": { stop: 1 } };
    expect(play(times(20, free), { policy: limited({ ...cost, "run-tokens": { stop: 1_000 } }) }).stop?.reason).toBe(
      "token_budget",
    );
    expect(
      play(
        times(20, (i) => [free(i), turnEnd]),
        { policy: limited({ ...cost, turns: { stop: 7 } }) },
      ).stop?.reason,
    ).toBe("max_turns");
    expect(
      play(
        times(20, (i) => [free(i), pause(20_000)]),
        { policy: limited({ ...cost, time: { stop: 200_000 } }) },
      ).stop?.reason,
    ).toBe("timeout");
  });

  test("88: a warning in time asks the model to wrap up; the end has its own reason", () => {
    const guardian = createGuardian({
      now: () => START,
      policy: limited({ "run-cost": { warn: 800_000_000, stop: 1_000_000_000 } }),
    });
    guardian.observe({ type: "usage", used: { "run-cost": 790_000_000 }, isPriced: true });
    expect(guardian.endTurn()).toEqual([]);
    guardian.observe({ type: "usage", used: { "run-cost": 810_000_000 }, isPriced: true });
    expect(guardian.endTurn().map(({ message }) => message)).toEqual([
      expect.stringMatching(/\$0\.81 of \$1\.00.*Finish with what you have/s),
    ]);
    expect(guardian.endTurn()).toEqual([]);
    guardian.observe({ type: "usage", used: { "run-cost": 1_010_000_000 }, isPriced: true });
    expect(guardian.stop).toMatchObject({ reason: "run_budget" });
    expect(guardian.beforeCall({ id: "c1", tool: "read", args: {} })).toMatchObject({
      allow: false,
      message: expect.stringContaining("run_budget"),
    });
  });

  test("89: a raised budget lets the run continue, and the new limit applies", () => {
    const guardian = createGuardian({ now: () => START, policy: limited({ "run-tokens": { stop: 1_000 } }) });
    const use = (tokens: number) => guardian.observe({ type: "usage", used: { "run-tokens": tokens }, isPriced: true });
    use(1_000);
    expect(guardian.stop?.reason).toBe("token_budget");
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 2_000 });
    expect(guardian.stop).toBeUndefined();
    expect(guardian.beforeCall({ id: "c1", tool: "read", args: {} })).toEqual({ allow: true });
    use(2_000);
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  const waiting = (what: "first-byte" | "stream" | "tool" | "nothing") => signal({ type: "waiting", for: what });

  test.each(["first-byte", "stream"] as const)(
    "90: a silent %s is interrupted once, and the run is ended at three times as long",
    (what) => {
      expect(play([waiting(what), pause(119_000)]).summary).toEqual([]);
      const played = play([
        waiting(what),
        pause(140_000),
        signal({ type: "stream-start" }),
        waiting(what),
        pause(100_000),
      ]);
      expect(played.interventions.map(({ detector, effect }) => `${detector} ${effect}`)).toEqual(["stall interrupt"]);
      expect(played.stop).toBeUndefined();
      const ended = play([
        waiting(what),
        pause(140_000),
        signal({ type: "stream-start" }),
        waiting(what),
        pause(400_000),
      ]);
      expect(ended.interventions.map(({ effect }) => effect)).toEqual(["interrupt", "stop"]);
      expect(ended.stop?.reason).toBe("stall");
    },
  );

  test("90: a retry that succeeds resets the silence", () => {
    const recovered = times(5, (i) => [
      waiting("stream"),
      pause(130_000),
      signal({ type: "stream-start" }),
      signal({ type: "delta", channel: "text", text: `Chapter ${i} begins here.` }),
      ...times(1, () => call("write_chapter", { number: i, text: `chapter ${i} ${i * 17}` }, `saved chapter ${i}`)),
    ]);
    const played = play(recovered);
    expect(played.stop).toBeUndefined();
    expect(played.interventions.map(({ detector, effect }) => `${detector} ${effect}`)).toEqual(
      Array.from({ length: 5 }, () => "stall interrupt"),
    );
  });

  test("90: bytes that still arrive are no stall, but a chant if they repeat", () => {
    const garbage = (i: number) => `${"qzxvjkwpy"[i % 9]}${(i * 7_919).toString(36)} `;
    silent([
      signal({ type: "stream-start" }),
      waiting("stream"),
      ...times(60, (i) => [signal({ type: "delta", channel: "text", text: garbage(i) }), pause(20_000)]),
    ]);
    const repeated = play([
      signal({ type: "stream-start" }),
      waiting("stream"),
      ...times(60, () => [
        signal({ type: "delta", channel: "text", text: "\\u0000\\u0000 ".repeat(8) }),
        pause(20_000),
      ]),
    ]);
    expect(repeated.summary[0]).toMatch(/^chant/);
  });

  test("90: a tool whose pipe stays open: the user is informed once, its own timeout ends it", () => {
    const guardian = createGuardian({ now: () => START });
    guardian.beforeCall({ id: "c1", tool: "bash", args: { command: "npm start &" } });
    guardian.observe({ type: "waiting", for: "tool" });
    const said = times(200, () => pause(0)).flatMap((_, i) =>
      guardian.observe({ type: "tick", at: START + (i + 1) * 20_000 }),
    );
    expect(said).toEqual([expect.objectContaining({ detector: "stall", effect: "tell", isForUser: true })]);
    expect(guardian.stop).toBeUndefined();
    guardian.afterCall("c1", { status: "timeout", content: "killed after 3600 s" });
    expect(guardian.endTurn()).toEqual([]);
  });

  test("90: a loop that waits for nothing is reminded, once", () => {
    const played = play([waiting("nothing"), pause(2_000_000)]);
    expect(played.interventions.map(({ detector, level, effect }) => `${detector} ${level} ${effect}`)).toEqual([
      "stall hint tell",
    ]);
  });

  const stalled = [waiting("stream"), pause(500_000)];
  test("90: a stall in the other modes, muted, and watched by a person", () => {
    expect(play(stalled, { policy: advising }).stop?.reason).toBe("stall");
    const observed = play(stalled, { policy: observing });
    expect(observed.interventions.length).toBeGreaterThan(0);
    expect(observed.interventions.some((each) => each.isApplied)).toBe(false);
    expect(observed.stop).toBeUndefined();
    silent([mute({ detector: "stall" }), ...stalled]);
    expect(play(stalled, { attended: true }).stop?.reason).toBe("stall");
    expect(play(stalled, { attended: true, policy: patient }).summary).toEqual(["stall hint"]);
    const longer = [waiting("stream"), pause(800_000)];
    expect(play(longer, { attended: true, policy: patient }).stop?.reason).toBe("stall");
  });

  test("90: a restart of the process resets the silence", () => {
    silent([waiting("stream"), pause(100_000), restart, waiting("stream"), pause(100_000)]);
  });

  test("91: a laptop that slept for a week, and a clock set back, fire nothing", () => {
    const policy = limited({ time: { stop: 300_000 } });
    const guardian = createGuardian({ now: () => START, policy });
    const week = 7 * 86_400_000;
    guardian.observe({ type: "waiting", for: "stream", at: START });
    const said = [START + week, START - week, START + 1_000, START + 2_000].flatMap((at) =>
      guardian.observe({ type: "tick", at }),
    );
    expect(said).toEqual([]);
    expect(guardian.stop).toBeUndefined();
  });

  test("91: something that is no signal throws a TypeError and changes nothing", () => {
    const guardian = createGuardian({ now: () => Number.NaN });
    const nonsense: unknown[] = [
      undefined,
      null,
      7,
      "tick",
      {},
      { type: "usage" },
      { type: "delta", text: 3 },
      { type: "waiting", for: "godot" },
    ];
    const before = guardian.snapshot();
    for (const signal of nonsense) expect(() => guardian.observe(signal as never)).toThrow(TypeError);
    expect(guardian.snapshot()).toEqual(before);
  });

  test.each<[string, (guardian: ReturnType<typeof createGuardian>) => unknown]>([
    ["a delta without text", (guardian) => guardian.delta("text", undefined as never)],
    ["a delta of a number", (guardian) => guardian.delta("text", 7 as never)],
    ["a message without text", (guardian) => guardian.message(undefined as never)],
    ["a result without content", (guardian) => guardian.afterCall("c1", { status: "ok" } as never)],
    ["a batch of no calls", (guardian) => guardian.beforeCalls([])],
  ])("91: strange content of a model never throws: %s", (_, act) => {
    const guardian = createGuardian({ now: () => START });
    guardian.beforeCall({ id: "c1", tool: "read", args: {} });
    expect(() => act(guardian)).not.toThrow();
    expect(() => guardian.endTurn()).not.toThrow();
    expect(JSON.parse(JSON.stringify(guardian.snapshot()))).toEqual(guardian.snapshot());
    expect(guardian.stop).toBeUndefined();
  });

  test.each<[string, (guardian: ReturnType<typeof createGuardian>) => unknown, string]>([
    [
      "a delta of an unknown channel",
      (guardian) => guardian.delta("audio" as never, "la"),
      "text, thinking, tool-input",
    ],
    ["no result", (guardian) => guardian.afterCall("c1", undefined as never), "ok, error, denied"],
    ["a message of an unknown origin", (guardian) => guardian.userMessage("nobody" as never), "person, automatic"],
  ])("91: an error of the caller throws a sentence and changes nothing: %s", (_, act, sentence) => {
    const guardian = createGuardian({ now: () => START });
    guardian.beforeCall({ id: "c1", tool: "read", args: {} });
    const before = guardian.snapshot();
    expect(() => act(guardian)).toThrow(sentence);
    expect(guardian.snapshot()).toEqual(before);
  });
});

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("\n");
}

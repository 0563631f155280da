import { createGuardian, type GuardianEvent } from "@sheepdog/guardian";
import { presets, type RyvosSettings, ryvosPolicy } from "@sheepdog/guardian/presets";
import { equalTail } from "@sheepdog/guardian/seeds";
import {
  asTurns,
  call,
  fails,
  message,
  type PlayResult,
  pause,
  play,
  type ScriptStep,
  signal,
  spend,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

// Goes through Ryvos' guardian document from top to bottom: its facts, with the preset and its settings.

const NANO_USD_PER_CENT = 10_000_000;
const BASH = { command: "npm test" };
const npmTest = () => fails("bash", BASH, "Tests: 1 failed, 11 passed");
const look = (i: number) => call("read_file", { path: `src/file${i}.ts` }, `export const value${i} = ${i * 17};`);

const context = (tokens: number, max = 32_000): ScriptStep =>
  signal({ type: "usage", used: {}, isPriced: true, context: { tokens, max } });
const cents = (spent: number): ScriptStep => spend(spent * NANO_USD_PER_CENT);
const month = (spent: number, name = "2026-03"): ScriptStep =>
  signal({ type: "usage", used: { "month-cost": spent * NANO_USD_PER_CENT }, isPriced: true, month: name });
const waitsFor = (what: "first-byte" | "stream" | "tool" | "nothing"): ScriptStep =>
  signal({ type: "waiting", for: what });

/** What the preset makes of a script, with some settings of its own. */
function ryvos(script: readonly ScriptStep[], settings: RyvosSettings = {}): PlayResult {
  return play(script, { policy: ryvosPolicy(settings) });
}

/** `<level> after <number of calls>` of everything said. */
function steps({ interventions }: PlayResult): readonly string[] {
  return interventions.map((each) => `${each.level} after ${each.call + 1}`);
}

describe("what it is", () => {
  test("it guides and blocks nothing, however long the loop", () => {
    const played = ryvos(times(30, npmTest));
    expect([played.refused, played.interventions.filter((each) => each.effect === "deny")]).toEqual([0, []]);
  });

  test("it watches for four things: equal calls, stalls, tokens and money", () => {
    expect(Object.keys(presets.ryvos.detectors)).toEqual(["seed-ryvos", "stall"]);
    expect(Object.keys(presets.ryvos.limits)).toEqual(["context", "run-cost", "month-cost"]);
  });

  test("tokens warn at 80 percent and stop at 95", () => {
    expect(presets.ryvos.limits.context).toEqual({ warn: 80, stop: 95 });
  });
});

describe("doom loop", () => {
  test("equal calls in a row are one", () => {
    expect(ryvos(times(3, npmTest)).summary).toEqual(["seed-ryvos hint"]);
  });

  test.each([
    [
      "keys in another order",
      [
        { command: "npm test", cwd: "." },
        { cwd: ".", command: "npm test" },
      ],
    ],
    ["spacing between the keys", ['{"command":"npm test"}', '{ "command" : "npm test" }']],
    ["spacing inside a value", [{ command: "npm test" }, { command: "npm  test" }, { command: " npm test" }]],
  ])("nearly equal arguments are equal: %s", (_, spellings) => {
    expect(ryvos(times(3, (i) => fails("bash", spellings[i % spellings.length], "1 failed"))).summary).toEqual([
      "seed-ryvos hint",
    ]);
  });

  test("another tool is another call, whatever its arguments", () => {
    expect(ryvos(times(12, (i) => fails(i % 2 === 0 ? "bash" : "zsh", BASH, "1 failed"))).summary).toEqual([]);
  });

  test("other arguments are another call, also where only their end differs", () => {
    const start = "x".repeat(2_000);
    expect(
      ryvos(times(12, (i) => call("write", { path: "a.ts", content: `${start}${i}` }, "written"))).summary,
    ).toEqual([]);
  });

  test("the outcome is no part of the fingerprint", () => {
    expect(ryvos(times(3, (i) => call("bash", BASH, `run ${i}: ${["red", "green", "blue"][i]}`))).summary).toEqual([
      "seed-ryvos hint",
    ]);
  });

  test("it takes as many equal calls as the threshold says, no fewer", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), (doomLoopThreshold) => {
        expect(ryvos(times(doomLoopThreshold - 1, npmTest), { doomLoopThreshold }).summary).toEqual([]);
        expect(steps(ryvos(times(doomLoopThreshold, npmTest), { doomLoopThreshold }))).toEqual([
          `hint after ${doomLoopThreshold}`,
        ]);
      }),
    );
  });

  test("only the last calls count: one other call between resets the count", () => {
    expect(ryvos(times(8, (i) => [npmTest(), npmTest(), look(i)])).summary).toEqual([]);
    expect(equalTail(["test", "test", "read", "test", "test"])).toBe(2);
  });

  test("the example: turns 5, 6 and 7 fail alike, and the hint follows turn 7", () => {
    const played = ryvos([...times(4, look), ...times(3, npmTest)]);
    expect(steps(played)).toEqual(["hint after 7"]);
    expect(played.interventions[0]).toMatchObject({
      detector: "seed-ryvos",
      effect: "tell",
      tool: "bash",
      count: 3,
      evidence: [4, 5, 6],
      isApplied: true,
    });
    expect(equalTail(["a", "b", "c", "d", "npm test", "npm test", "npm test"])).toBe(3);
  });

  test("the hint names the tool, the count and how it failed, and says what to do", () => {
    const [hint] = ryvos(times(3, npmTest)).interventions;
    expect(hint?.message).toMatch(/"bash".*\b3 times in a row\b.*1 failed.*(another way|change)/);
  });

  test("the threshold is 3 by default", () => {
    expect(ryvos(times(2, npmTest)).summary).toEqual([]);
    expect(presets.ryvos.detectors["seed-ryvos"]).toMatchObject({ hint: 3 });
  });

  test("it is an event, and a message in the conversation once the turn is over", () => {
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ policy: presets.ryvos, now: () => 1, emit: (event) => events.push(event) });
    const messages = [1, 2, 3, 4].map((id) => {
      guardian.beforeCall({ id: `${id}`, tool: "bash", args: BASH });
      guardian.afterCall(`${id}`, { status: "error", content: "1 failed" });
      return guardian.endTurn().map(({ detector, level }) => `${detector} ${level}`);
    });
    expect(messages).toEqual([[], [], ["seed-ryvos hint"], []]);
    expect(events).toEqual([
      {
        type: "intervention",
        intervention: expect.objectContaining({ detector: "seed-ryvos", level: "hint", effect: "tell" }),
      },
    ]);
  });

  test("it intervenes whenever the last calls are equal: also when the loop comes back after another call", () => {
    const played = ryvos([...times(3, npmTest), ...asTurns(look(1)), ...times(3, npmTest)]);
    expect(played.summary.length).toBe(2);
  });
});

describe("stall", () => {
  test("a reply without calls is one once it has streamed for twenty times the seconds, not before", () => {
    const part = (i: number): ScriptStep =>
      signal({
        type: "delta",
        channel: "text",
        text: `Part ${i} tells of ${(i * 7_919) % 1_009} and then of ${(i * i) % 97}. `,
      });
    const streams = (seconds: number) =>
      ryvos([waitsFor("stream"), ...times(seconds / 20, (i) => [part(i), pause(20_000)])]).interventions;
    expect(streams(19 * 120)).toEqual([]);
    expect(streams(21 * 120)).toMatchObject([{ detector: "stall", level: "hint", effect: "tell", isForUser: true }]);
  });

  test("a long call is a stall; the user is informed, the tool is not interrupted", () => {
    const played = ryvos([waitsFor("tool"), pause(600_000)]);
    expect(played.interventions).toMatchObject([{ detector: "stall", level: "hint", effect: "tell", isForUser: true }]);
    expect(played.stop).toBeUndefined();
  });

  test("an agent that does not act is hinted at", () => {
    const [hint, ...more] = ryvos([waitsFor("nothing"), pause(120_000)]).interventions;
    expect([hint, more]).toMatchObject([{ detector: "stall", level: "hint", effect: "tell" }, []]);
    expect(hint?.isForUser).toBeUndefined();
  });

  test.each<readonly [string, ScriptStep]>([
    ["a call", turn(look(1))],
    ["a message that is complete", signal({ type: "reply", stop: "end", calls: 0, words: "" })],
  ])("the time is counted from the last thing done: %s", (_, action) => {
    expect(ryvos([waitsFor("nothing"), pause(110_000), action, pause(110_000)]).summary).toEqual([]);
    expect(ryvos([waitsFor("nothing"), pause(110_000), action, pause(120_000)]).summary).toEqual(["stall hint"]);
  });

  test("the message comes once the seconds have passed, not before, and names them", () => {
    expect(ryvos([waitsFor("nothing"), pause(119_000)]).summary).toEqual([]);
    expect(ryvos([waitsFor("nothing"), pause(120_000)]).interventions[0]?.message).toMatch(/\b120 seconds\b/);
  });

  test("the message says to act or to ask", () => {
    const [stall] = ryvos([waitsFor("nothing"), pause(120_000)]).interventions;
    expect(stall?.message).toContain("Take the next step, or ask for what you need.");
  });

  test("the hint reaches the conversation", () => {
    let clock = 1_000;
    const guardian = createGuardian({ policy: presets.ryvos, now: () => clock });
    guardian.observe({ type: "waiting", for: "nothing" });
    for (let i = 0; i < 6; i++) {
      clock += 20_000;
      guardian.observe({ type: "tick" });
    }
    expect(guardian.endTurn()).toMatchObject([{ detector: "stall", level: "hint" }]);
  });

  test.each([10, 30, 300])("the seconds are a setting: %i", (stallTimeoutSecs) => {
    expect(ryvos([waitsFor("nothing"), pause(stallTimeoutSecs * 1_000 - 1_000)], { stallTimeoutSecs }).summary).toEqual(
      [],
    );
    expect(ryvos([waitsFor("nothing"), pause(stallTimeoutSecs * 1_000)], { stallTimeoutSecs }).summary).toEqual([
      "stall hint",
    ]);
  });

  test("120 seconds by default", () => {
    expect(presets.ryvos.stallMs).toBe(120_000);
  });

  test.each(["first-byte", "stream"] as const)(
    "a silent model (%s) is interrupted, and the run is ended where that does not help",
    (what) => {
      expect(ryvos([waitsFor(what), pause(120_000)]).interventions).toMatchObject([
        { detector: "stall", effect: "interrupt" },
      ]);
      expect(ryvos([waitsFor(what), pause(360_000)]).stop).toMatchObject({ reason: "stall" });
    },
  );
});

describe("token budget", () => {
  test("below 80 percent of the context there is no warning", () => {
    expect(ryvos([context(25_599)]).summary).toEqual([]);
  });

  test("at 80 percent there is a warning, once", () => {
    expect(ryvos([context(25_600)]).summary).toEqual(["context warn"]);
    expect(ryvos([25_600, 26_240, 28_000, 30_000].map((tokens) => context(tokens))).summary).toEqual(["context warn"]);
  });

  test("the example: 82 percent of 32,000, with all three numbers", () => {
    const [warning] = ryvos([context(26_240)]).interventions;
    expect(warning).toMatchObject({ detector: "context", level: "warn", effect: "tell" });
    expect(warning?.message).toMatch(/\b82 %.*26,240\/32,000/);
  });

  test("at 95 percent the run is stopped, not before", () => {
    expect(ryvos([context(30_399)]).stop).toBeUndefined();
    expect(ryvos([context(30_400)]).stop).toMatchObject({ reason: "context_budget" });
  });

  test("the example: 31,200 of 32,000 stops, with both numbers", () => {
    const played = ryvos([context(31_200)]);
    expect(played.interventions).toMatchObject([{ detector: "context", level: "halt", effect: "stop" }]);
    expect(played.stop).toMatchObject({ reason: "context_budget", message: expect.stringMatching(/31,200\/32,000/) });
  });

  test("the turn under way is completed, and no other begins", () => {
    const guardian = createGuardian({ policy: presets.ryvos, now: () => 1 });
    expect(guardian.beforeCall({ id: "a", tool: "bash", args: BASH })).toEqual({ allow: true });
    guardian.observe({ type: "usage", used: {}, isPriced: true, context: { tokens: 31_200, max: 32_000 } });
    guardian.afterCall("a", { status: "ok", content: "done" });
    guardian.endTurn();
    expect(guardian.snapshot()).toMatchObject({ turn: 1, unanswered: [], history: [{ index: 0, tool: "bash" }] });
    expect(guardian.beforeCall({ id: "b", tool: "bash", args: BASH })).toMatchObject({
      allow: false,
      message: expect.stringContaining("context_budget"),
    });
  });

  test("both percentages are settings", () => {
    const settings = { tokenBudgetSoft: 50, tokenBudgetHard: 60 };
    expect(ryvos([context(15_999)], settings).summary).toEqual([]);
    expect(ryvos([context(16_000), context(19_199)], settings).summary).toEqual(["context warn"]);
    expect(ryvos([context(16_000), context(19_200)], settings).summary).toEqual(["context warn", "context halt"]);
  });

  test("they are shares of whatever the context holds", () => {
    expect(ryvos([context(160_000, 200_000)]).summary).toEqual(["context warn"]);
    expect(ryvos([context(190_000, 200_000)]).stop).toMatchObject({ reason: "context_budget" });
  });
});

describe("dollar budget", () => {
  const perRun = { perRunLimitCents: 100 };
  const monthly = { monthlyLimitCents: 5_000, warningThresholdCents: 4_000 };

  test("a run warns at 80 percent of its limit, once", () => {
    expect(ryvos([cents(79.9)], perRun).summary).toEqual([]);
    expect(ryvos([cents(80), cents(90), cents(99)], perRun).summary).toEqual(["run-cost warn"]);
  });

  test("a run is stopped at its limit", () => {
    expect(ryvos([cents(99.9)], perRun).stop).toBeUndefined();
    expect(ryvos([cents(80), cents(100)], perRun)).toMatchObject({
      summary: ["run-cost warn", "run-cost halt"],
      stop: { reason: "run_budget" },
    });
  });

  test("80 and 100 percent hold to the nano-dollar for every limit in cents", () => {
    const wrong = Array.from({ length: 1_000 }, (_, i) => i + 1).filter((limit) => {
      const settings = { perRunLimitCents: limit };
      const [warn, stop] = [limit * 8_000_000, limit * NANO_USD_PER_CENT];
      const said = [warn - 1, warn, stop - 1, stop].map((spent) => ryvos([spend(spent)], settings).summary.join());
      return said.join(" ") !== " run-cost warn run-cost warn run-cost halt";
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test("a month warns at its threshold, once", () => {
    expect(ryvos([month(3_999)], monthly).summary).toEqual([]);
    expect(ryvos([month(4_000), month(4_500), month(4_999)], monthly).summary).toEqual(["month-cost warn"]);
  });

  test("a month stops at its limit", () => {
    expect(ryvos([month(4_999)], monthly).stop).toBeUndefined();
    expect(ryvos([month(4_000), month(5_000)], monthly)).toMatchObject({
      summary: ["month-cost warn", "month-cost halt"],
      stop: { reason: "month_budget" },
    });
  });

  test("then every run of the month is blocked, the new ones before their first call", () => {
    const guardian = createGuardian({ policy: ryvosPolicy(monthly), now: () => 1, run: "another" });
    guardian.observe({
      type: "usage",
      used: { "month-cost": 5_000 * NANO_USD_PER_CENT },
      isPriced: true,
      month: "2026-03",
    });
    expect(guardian.beforeCall({ id: "a", tool: "bash", args: BASH })).toMatchObject({
      allow: false,
      message: expect.stringContaining("month_budget"),
    });
  });

  test("a message does not raise the budget: the ledger sends the same total, and no call is made", () => {
    const played = ryvos([month(5_000), message(), month(5_000), turn(npmTest())], monthly);
    expect(played).toMatchObject({ stop: { reason: "month_budget" }, state: { callCount: 0 } });
  });

  test("an ended session continues in the next month", () => {
    const { state } = ryvos([month(5_000)], monthly);
    const guardian = createGuardian({ policy: ryvosPolicy(monthly), now: () => 1_700_000_100_000, run: "next", state });
    guardian.observe({ type: "usage", used: { "month-cost": 0 }, isPriced: true, month: "2026-04" });
    expect(guardian.stop).toBeUndefined();
    expect(guardian.beforeCall({ id: "a", tool: "bash", args: BASH })).toEqual({ allow: true });
  });

  test("the next month warns again", () => {
    expect(ryvos([month(4_000), month(10, "2026-04"), month(4_000, "2026-04")], monthly).summary).toEqual([
      "month-cost warn",
      "month-cost warn",
    ]);
  });

  test("a warning sends a message, an exceeded limit stops", () => {
    const played = ryvos([cents(80), cents(100)], perRun);
    expect(played.interventions.map(({ level, effect }) => [level, effect])).toEqual([
      ["warn", "tell"],
      ["halt", "stop"],
    ]);
  });
});

describe("intervention strategy", () => {
  test("detect, hint, observe, escalate: by three calls a step, stronger each time, and the end", () => {
    const played = ryvos(times(20, npmTest));
    expect(steps(played)).toEqual(["hint after 3", "warn after 6", "warn after 9", "halt after 12"]);
    expect(played.interventions.map((each) => each.effect)).toEqual(["tell", "tell", "tell", "stop"]);
    expect(new Set(played.interventions.map((each) => each.message)).size).toBe(4);
  });

  test("an agent that adjusts after the hint has recovered and gets no more messages", () => {
    const played = ryvos([...times(3, npmTest), ...times(10, look)]);
    expect(played).toMatchObject({ summary: ["seed-ryvos hint"], recovered: ["e1"], stop: undefined });
  });

  test("a run that is ended has a summary to give", () => {
    const { stop, interventions } = ryvos(times(20, npmTest));
    expect(stop).toEqual({
      reason: "doom_loop",
      intervention: interventions.at(-1)?.id,
      message: expect.stringMatching(/"bash".*\b12 times/),
    });
  });

  test("other thresholds climb by as much", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 15 }), (every) => {
        const played = ryvos(times(5 * every, npmTest), { doomLoopThreshold: every });
        expect(steps(played)).toEqual([
          `hint after ${every}`,
          `warn after ${2 * every}`,
          `warn after ${3 * every}`,
          `halt after ${4 * every}`,
        ]);
        expect(played.refused).toBe(0);
      }),
    );
  });

  test("no call is refused in silence: before the end none is, after it each one says why", () => {
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ policy: presets.ryvos, now: () => 1, emit: (event) => events.push(event) });
    const verdicts = Array.from({ length: 13 }, (_, id) => {
      const verdict = guardian.beforeCall({ id: `${id}`, tool: "bash", args: BASH });
      if (verdict.allow) guardian.afterCall(`${id}`, { status: "error", content: "1 failed" });
      guardian.endTurn();
      return verdict;
    });
    expect(verdicts.slice(0, 12).every((each) => each.allow)).toBe(true);
    expect(verdicts[12]).toEqual({ allow: false, message: expect.stringContaining("doom_loop") });
    expect(events.at(-1)).toEqual({ type: "refused", callId: "12", reason: "doom_loop" });
  });
});

describe("events", () => {
  const all = { perRunLimitCents: 100, monthlyLimitCents: 5_000, warningThresholdCents: 4_000 };

  test.each<readonly [string, readonly ScriptStep[], string]>([
    ["a hint is the mildest", times(3, npmTest), "seed-ryvos hint tell"],
    ["a stall", [waitsFor("nothing"), pause(120_000)], "stall hint tell"],
    ["a budget that is nearly used: context", [context(25_600)], "context warn tell"],
    ["a budget that is nearly used: run", [cents(80)], "run-cost warn tell"],
    ["a budget that is nearly used: month", [month(4_000)], "month-cost warn tell"],
    ["a budget that is used: context", [context(30_400)], "context halt stop"],
    ["a budget that is used: run", [cents(100)], "run-cost halt stop"],
    ["a budget that is used: month", [month(5_000)], "month-cost halt stop"],
  ])("%s", (_, script, event) => {
    expect(
      ryvos(script, all).interventions.map(({ detector, level, effect }) => `${detector} ${level} ${effect}`),
    ).toEqual([event]);
  });
});

describe("full configuration", () => {
  const loop = times(3, npmTest);
  const stalled = [waitsFor("nothing"), pause(120_000)];

  test("what it states is what holds by default", () => {
    const stated = {
      enabled: true,
      doomLoopThreshold: 3,
      stallTimeoutSecs: 120,
      tokenBudgetSoft: 80,
      tokenBudgetHard: 95,
    };
    expect(ryvosPolicy(stated)).toEqual(presets.ryvos);
  });

  test("enabled: without it the detector is off, and the limits still apply", () => {
    const off = { enabled: false, perRunLimitCents: 100, monthlyLimitCents: 5_000, warningThresholdCents: 4_000 };
    expect(ryvos([...times(30, npmTest), ...stalled], off)).toMatchObject({ summary: [], stop: undefined });
    const spent = [context(26_240), cents(80), month(4_000), context(31_200)];
    expect(ryvos(spent, off).summary).toEqual(["context warn", "run-cost warn", "month-cost warn", "context halt"]);
    expect(ryvos([cents(100)], off).stop).toMatchObject({ reason: "run_budget" });
    expect(ryvos([month(5_000)], off).stop).toMatchObject({ reason: "month_budget" });
  });

  test.each<readonly [keyof RyvosSettings, RyvosSettings, readonly ScriptStep[], readonly string[], readonly string[]]>(
    [
      ["doomLoopThreshold", { doomLoopThreshold: 4 }, loop, ["seed-ryvos hint"], []],
      ["stallTimeoutSecs", { stallTimeoutSecs: 200 }, stalled, ["stall hint"], []],
      ["tokenBudgetSoft", { tokenBudgetSoft: 90 }, [context(26_240)], ["context warn"], []],
      [
        "tokenBudgetHard",
        { tokenBudgetHard: 99 },
        [context(26_240), context(31_200)],
        ["context warn", "context halt"],
        ["context warn"],
      ],
      ["perRunLimitCents", { perRunLimitCents: 100 }, [cents(100)], [], ["run-cost halt"]],
      ["monthlyLimitCents", { monthlyLimitCents: 5_000 }, [month(5_000)], [], ["month-cost halt"]],
      ["warningThresholdCents", { warningThresholdCents: 4_000 }, [month(4_500)], [], ["month-cost warn"]],
    ],
  )("%s", (_, settings, script, byDefault, withIt) => {
    expect(ryvos(script).summary).toEqual(byDefault);
    expect(ryvos(script, settings).summary).toEqual(withIt);
  });

  test("money limits are off until they are set", () => {
    expect(ryvos([cents(1e6), month(1e6)]).summary).toEqual([]);
  });
});

// Not the guardian's, but the runtime's: the memory flush and the compaction that follow a warning,
// `max_context_tokens` itself (told with
// the usage), the store of monthly costs, `pricing_overrides`, the names of the events on the bus, and where they are
// shown: activity feed,
// run logs, channels.

import {
  createGuardian,
  defaultPolicy,
  type Guardian,
  type Intervention,
  type Policy,
  type SignalInput,
} from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { call, message, pause, play, says, signal, streams, times } from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const clock = { now: 1_700_000_000_000 };

function guard(limits: Policy["limits"], more: Partial<Policy> = {}, run = "run_1"): Guardian {
  return createGuardian({ now: () => (clock.now += 1), policy: { ...defaultPolicy, limits, ...more }, run });
}

function use(
  guardian: Guardian,
  used: Extract<SignalInput, { type: "usage" }>["used"],
  more: object = {},
): readonly string[] {
  return short(guardian.observe({ type: "usage", used, isPriced: true, ...more }));
}

function short(interventions: readonly Intervention[]): readonly string[] {
  return interventions.map(({ detector, level }) => `${detector} ${level}`);
}

const waits = (what: "first-byte" | "stream" | "tool" | "approval" | "nothing") =>
  signal({ type: "waiting", for: what });

describe("limits", () => {
  test("a new day lifts the day's stop, and no other", () => {
    const guardian = guard({ "day-cost": { stop: 100 }, "month-cost": { stop: 1_000 } });
    use(guardian, { "day-cost": 100, "month-cost": 1_000 }, { day: "1", month: "a" });
    expect(guardian.stop?.reason).toBe("day_budget");
    use(guardian, { "day-cost": 0, "month-cost": 1_000 }, { day: "2", month: "a" });
    expect(guardian.stop?.reason).toBe("month_budget");
  });

  test("many subagents that send their totals again and again are counted once each", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000_000 } }, { spawn: { depth: 9, perRun: 1e6, perMinute: 1e6 } });
    for (let i = 0; i < 100; i++) guardian.observe({ type: "child-start", id: `child ${i}`, depth: 1 });
    for (let report = 1; report <= 10; report++)
      for (let i = 0; i < 100; i++)
        guardian.observe({ type: "usage", child: `child ${i}`, used: { "run-tokens": report * 999 }, isPriced: true });
    expect(guardian.stop).toBeUndefined();
    expect(use(guardian, { "run-tokens": 1_001 })).toEqual(["run-tokens halt"]);
  });

  test("a subagent's id used again does not make what it had used undone", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } }, { spawn: { depth: 1, perRun: 3, perMinute: 9 } });
    for (let i = 0; i < 2; i++) {
      guardian.observe({ type: "child-start", id: "researcher", depth: 1 });
      guardian.observe({ type: "usage", child: "researcher", used: { "run-tokens": 450 }, isPriced: true });
      guardian.observe({ type: "child-end", id: "researcher", depth: 1, findings: [] });
    }
    expect(guardian.observe({ type: "child-start", id: "researcher", depth: 2 })).toMatchObject([
      { effect: "deny", denies: { callId: "researcher" } },
    ]);
    expect(use(guardian, { "run-tokens": 100 })).toEqual(["run-tokens halt"]);
  });

  test("a subagent's usage that makes no sense leaves the rest of it its say", () => {
    for (const tokens of [Number.NaN, -5, undefined, "9"]) {
      const guardian = guard({ "run-tokens": { stop: 100 } });
      guardian.observe({ type: "usage", child: "a", used: { "run-tokens": tokens as never }, isPriced: true });
      expect(use(guardian, { "run-tokens": 500 })).toEqual(["run-tokens halt"]);
    }
  });

  test("a limit that a user raises still applies after their next message", () => {
    const guardian = createGuardian({
      now: () => clock.now,
      policy: { ...defaultPolicy, limits: { "run-cost": { stop: 100 } } },
    });
    use(guardian, { "run-cost": 150 });
    guardian.observe({ type: "limit", limit: "run-cost", stop: 1_000 });
    guardian.userMessage("person");
    expect([use(guardian, { "run-cost": 160 }), guardian.stop]).toEqual([[], undefined]);
  });

  test("what a person allows one run does not hold for the next", () => {
    const guardian = guard({ "run-cost": { stop: 100 } });
    guardian.observe({ type: "limit", limit: "run-cost", stop: 0 });
    expect(use(guardian, { "run-cost": 500 })).toEqual([]);
    guardian.observe({ type: "run-start", attended: false, tools: [], run: "run_2" });
    expect(use(guardian, { "run-cost": 500 })).toEqual(["run-cost halt"]);
  });

  test("what a subagent could not price stays without a price", () => {
    const guardian = guard({});
    guardian.observe({ type: "usage", child: "a", used: { "run-tokens": 5 }, isPriced: false });
    use(guardian, { "run-cost": 1 });
    expect(short(guardian.observe({ type: "limit", limit: "run-cost", stop: 100 }))).toEqual(["run-cost halt"]);
  });

  test("raising the stop does not repeat the warning", () => {
    const guardian = guard({ "run-cost": { warn: 80, stop: 100 } });
    expect(use(guardian, { "run-cost": 85 })).toEqual(["run-cost warn"]);
    expect(short(guardian.observe({ type: "limit", limit: "run-cost", stop: 1_000 }))).toEqual([]);
  });

  test("a total that falls within a run is not believed", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    use(guardian, { "run-tokens": 950 });
    use(guardian, { "run-tokens": 3 });
    expect(guardian.nearBudget()).toBe(true);
  });

  test("only the two numbers of the context are kept, whatever the caller's object holds", () => {
    const guardian = guard({ context: { warn: 80 } });
    guardian.observe({
      type: "usage",
      used: {},
      isPriced: true,
      context: { tokens: 10, max: 100, note: "secret" } as never,
    });
    expect(JSON.stringify(guardian.snapshot())).not.toContain("secret");
  });

  test("a pending warning is returned after a restart of the same run", () => {
    const guardian = guard({ "run-tokens": { warn: 80 } });
    use(guardian, { "run-tokens": 90 });
    const state = JSON.parse(JSON.stringify(guardian.snapshot()));
    const again = createGuardian({
      now: () => clock.now,
      policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 80 } } },
      run: "run_1",
      state,
    });
    expect(short(again.endTurn())).toEqual(["run-tokens warn"]);
    expect(again.endTurn()).toEqual([]);
  });

  test.each([
    [{ limits: { "run-cost": { stop: Number.NaN } } }, "limits.run-cost.stop"],
    [{ limits: { "run-costs": { stop: 1 } } }, "run-costs"],
    [{ mode: "gide" }, "gide"],
    [{ detectors: { "doom-loop": { hint: "3" } } }, "detectors.doom-loop.hint"],
    [{ tools: {} }, "tools"],
  ])("a policy that could not hold is refused with a sentence: %j", (wrong, part) => {
    expect(() => createGuardian({ now: () => 1, policy: { ...defaultPolicy, ...wrong } as never })).toThrow(part);
  });

  test("parts of a policy that are missing are taken from the default", () => {
    const guardian = createGuardian({
      now: () => 1,
      policy: { name: "mine", limits: undefined, tools: undefined, detectors: undefined } as never,
    });
    expect(guardian.endTurn()).toEqual([]);
  });
});

describe("time", () => {
  test("a stream that stalls again after its retry ends the run", () => {
    const attempt = [
      signal({ type: "stream-start" }),
      waits("first-byte"),
      streams("Well, "),
      waits("stream"),
      pause(140_000),
    ];
    expect(play([...attempt, ...attempt, ...attempt]).summary).toEqual(["stall hint", "stall halt"]);
  });

  test("a reply resets the silence", () => {
    const silent = [signal({ type: "stream-start" }), waits("first-byte"), pause(140_000)];
    expect(play([...silent, says("Here it is."), ...silent, says("And here."), ...silent]).summary).toEqual([
      "stall hint",
      "stall hint",
      "stall hint",
    ]);
  });

  test("slow replies in turn after turn are no continuous stall", () => {
    const slow = [
      signal({ type: "stream-start" }),
      waits("first-byte"),
      pause(130_000),
      streams("Here it is."),
      signal({ type: "turn-end" }),
    ];
    expect(play([...slow, ...slow, ...slow, ...slow]).stop).toBeUndefined();
  });

  test("stalls do not push a refusal out of what is remembered", () => {
    const loop = times(5, () =>
      call(
        "read_file",
        { path: "a.ts" },
        "the very same text, long enough to be an answer and not an acknowledgement, again and again",
      ),
    );
    const silent = times(12, () => [
      signal({ type: "stream-start" }),
      waits("first-byte"),
      pause(140_000),
      says("Done."),
      message("automatic"),
    ]);
    const played = play([...loop, ...silent, ...loop], {
      policy: { ...defaultPolicy, detectors: { ...defaultPolicy.detectors, monologue: {} } },
    });
    expect(played.summary.filter((each) => each === "doom-loop hint")).toHaveLength(1);
    expect(played.refused).toBeGreaterThan(0);
  });

  test("waiting for nothing is not held against the request that follows", () => {
    expect(
      play([waits("nothing"), pause(400_000), message("automatic"), waits("first-byte"), pause(20_000)]).summary,
    ).toEqual(["stall hint"]);
  });

  test("work after an approval counts as time again, without another waiting signal", () => {
    const policy = { ...defaultPolicy, limits: { time: { stop: 600_000 } } };
    const work = times(40, (i) => [call("read_file", { path: `${i}.ts` }, `text of ${i}`), pause(20_000)]);
    expect(play([waits("approval"), pause(3_600_000)], { policy }).stop).toBeUndefined();
    expect(play([waits("approval"), pause(3_600_000), ...work], { policy }).stop?.reason).toBe("timeout");
  });

  test("two clocks that differ by seconds do not make time pass", () => {
    const guardian = guard({ time: { stop: 60_000 } });
    for (let i = 0; i < 200; i++) guardian.observe({ type: "tick", at: clock.now + i - (i % 2) * 10_000 });
    expect(guardian.stop).toBeUndefined();
  });

  test("messages about an episode that a person has closed are dropped", () => {
    const guardian = createGuardian({ now: () => clock.now });
    guardian.observe({ type: "waiting", for: "nothing" });
    for (let i = 0; i < 8; i++) {
      clock.now += 20_000;
      guardian.observe({ type: "tick" });
    }
    guardian.userMessage("person");
    expect(guardian.endTurn()).toEqual([]);
  });
});

describe("one word at a time", () => {
  test("many subagents in one reply are refused one by one, and the run continues", () => {
    const played = play(times(26, (i) => signal({ type: "child-start", id: `c${i}`, depth: 1 })));
    expect([played.refused, played.stop]).toEqual([6, undefined]);
  });

  test("many subagents that end stuck in one turn are one word", () => {
    const ends = times(8, (i) => signal({ type: "child-end", id: `c${i}`, depth: 1, findings: ["doom-loop"] }));
    expect(play(ends).summary).toEqual(["stuck-child hint"]);
  });

  test("a subagent ends once", () => {
    const ends = times(8, () => [
      signal({ type: "child-end", id: "c", depth: 1, findings: ["doom-loop"] }),
      signal({ type: "turn-end" }),
    ]);
    expect(play(ends).summary).toEqual([]);
  });

  test("each interrupt has an id of its own", () => {
    const chants = times(4, (i) => [
      streams("I will look at it now. ".repeat(60)),
      call("read_file", { path: `${i}.ts` }, `text of ${i}`),
    ]);
    const ids = play(chants).interventions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("different short answers are no monologue without automatic messages", () => {
    const answers = [
      "Yes.",
      "It is in the cellar.",
      "On Monday.",
      "Three of them.",
      "No, the other one.",
      "Blue.",
      "Ask Tom.",
      "At nine.",
      "Not yet.",
      "Both.",
    ];
    expect(play(answers.map((text) => says(text))).summary).toEqual([]);
    const texts = Array.from({ length: 12 }, (_, i) =>
      `第${i}章讲述了${"山川河流日月星辰"[i % 8]}${i}的故事`.repeat(20),
    );
    expect(play(texts.flatMap((text) => [message("automatic"), says(text)])).summary).toEqual([]);
  });

  test("compactions far apart are no loop, though no turn is ever ended", () => {
    const guardian = createGuardian({ now: () => clock.now });
    for (let i = 0; i < 5; i++) {
      guardian.beforeCall({ id: `${i}`, tool: "read_file", args: { path: `${i}.ts` } });
      guardian.afterCall(`${i}`, { status: "ok", content: `text of ${i}` });
      expect(guardian.observe({ type: "compacted" })).toEqual([]);
    }
  });

  test("thinking and text that alternate are both inspected", () => {
    const guardian = createGuardian({ now: () => clock.now });
    const said: string[] = [];
    for (let i = 0; i < 300 && said.length === 0; i++) {
      said.push(...short(guardian.delta("thinking", `Thought ${i} is about ${i * 7}. `)));
      said.push(...short(guardian.delta("text", "I will look at it now. ")));
    }
    expect(said).toEqual(["chant hint"]);
  });

  test("a call that is made after a retry has an index of its own", () => {
    const guardian = createGuardian({ now: () => clock.now });
    guardian.beforeCall({ id: "a", tool: "ls", args: {} });
    guardian.beforeCall({ id: "b", tool: "cat", args: {} });
    guardian.afterCall("b", { status: "ok", content: "b" });
    guardian.observe({ type: "stream-start" });
    guardian.beforeCall({ id: "c", tool: "pwd", args: {} });
    guardian.afterCall("c", { status: "ok", content: "c" });
    const indexes = guardian.snapshot().history.map(({ index }) => index);
    expect(new Set(indexes).size).toBe(indexes.length);
  });
});

test("a loop that continues in a cheaper run has cost nothing there, not less than nothing", () => {
  const loop = (id: number) =>
    call(
      "read_file",
      { path: "a.ts" },
      `the very same text, long enough to be an answer and not an acknowledgement ${id * 0}`,
    );
  const spent = (usd: number) => signal({ type: "usage", used: { "run-cost": usd * 1e9 }, isPriced: true });
  const second = signal({ type: "run-start", attended: false, tools: [], run: "b" });
  const { interventions } = play([spent(1), ...times(3, loop), second, spent(0.001), ...times(3, loop)], {
    run: "a",
    policy: presets.default,
  });
  for (const { costNanoUsd = 0 } of interventions) expect(costNanoUsd).toBeGreaterThanOrEqual(0);
});

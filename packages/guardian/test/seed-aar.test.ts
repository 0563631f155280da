import { createGuardian, type Guardian, type Stop } from "@sheepdog/guardian";
import { type AarSettings, aarPolicy, presets } from "@sheepdog/guardian/presets";
import {
  defaultGuardrails,
  type GuardrailsConfig,
  isStuck,
  maxTokensFollowup,
  nearBudget,
  observeToolCalls,
  repeatedSteps,
  type SavedGuardrails,
} from "@sheepdog/guardian/seeds";
import {
  call,
  pause,
  play,
  restart,
  type ScriptStep,
  says,
  signal,
  spend,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

// Goes through AAR's document of its loop and guardrails from top to bottom: its facts, with the preset and with the
// small interface.

const NANO_USD = 1_000_000_000;

interface Asked {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
type Step = readonly Asked[];

const read = (path: string): Asked => ({ name: "read_file", arguments: { path } });
const write = (content: string): Asked => ({ name: "write_file", arguments: { path: "a.ts", content } });
const repeat = (count: number, step: Step): readonly Step[] => Array.from({ length: count }, () => step);
const look = (i: number) => call("read_file", { path: `src/file${i}.ts` }, `export const value${i} = ${i * 17};`);
const tokens = (used: number): ScriptStep => signal({ type: "usage", used: { "run-tokens": used }, isPriced: true });

/** What happened to each step, and why the run ended. */
interface Went {
  readonly executed: readonly boolean[];
  readonly stop: Stop | undefined;
}

/** Asks about every step as a loop would, all its calls at once, before any is executed. */
function run(steps: readonly Step[], settings: AarSettings = {}): Went {
  const guardian = createGuardian({ policy: aarPolicy(settings), now: () => 1 });
  const executed = steps.map((step, place) => executes(guardian, step, place));
  return { executed, stop: guardian.stop };
}

function executes(guardian: Guardian, step: Step, place: number): boolean {
  const calls = step.map((each, i) => ({ id: `${place}.${i}`, tool: each.name, args: each.arguments }));
  const allowed = guardian.beforeCalls(calls).map((verdict) => verdict.allow);
  for (const [i, { id }] of calls.entries())
    if (allowed[i]) guardian.afterCall(id, { status: "ok", content: `result ${id}` });
  guardian.endTurn();
  expect(new Set(allowed).size, "a step is executed or not, as a whole").toBeLessThan(2);
  return allowed.every(Boolean);
}

/** The same through the small interface: whether each step would be executed, up to the first that is not. */
function observed(steps: readonly Step[], config: Partial<GuardrailsConfig> = {}): readonly boolean[] {
  let state: SavedGuardrails = {};
  return steps.map((step) => {
    if (!isStuck(state, config)) state = observeToolCalls(state, step);
    return !isStuck(state, config);
  });
}

/** The 0-based step at which both the preset and the small interface end the run; undefined where neither does. */
function endsAt(steps: readonly Step[], maxRepeatedToolSteps?: number): number | undefined {
  const setting = maxRepeatedToolSteps === undefined ? {} : { maxRepeatedToolSteps };
  const went = run(steps, setting);
  expect(went.executed).toEqual(observed(steps, setting));
  expect(went.stop?.reason).toBe(went.executed.includes(false) ? "doom_loop" : undefined);
  const place = went.executed.indexOf(false);
  return place < 0 ? undefined : place;
}

describe("loop flow: before a step", () => {
  const timeout = 60;

  test("a run ends once its time is over", () => {
    const played = play([pause(59_000)], { policy: aarPolicy({ timeout }) });
    expect(played.stop).toBeUndefined();
    expect(play([pause(61_000)], { policy: aarPolicy({ timeout }) }).stop).toMatchObject({ reason: "timeout" });
  });

  test("a timeout of 0 is none, and so is the default", () => {
    expect(play([pause(10_000_000)], { policy: aarPolicy({ timeout: 0 }) }).stop).toBeUndefined();
    expect(play([pause(10_000_000)], { policy: presets.aar }).stop).toBeUndefined();
  });

  test.each([1, 3, 10])("after %i steps, the most there may be, no other begins", (maxSteps) => {
    const played = play(times(maxSteps + 5, look), { policy: aarPolicy({ maxSteps }) });
    expect([played.state.history.length, played.stop?.reason]).toEqual([maxSteps, "max_turns"]);
    expect(play(times(maxSteps - 1, look), { policy: aarPolicy({ maxSteps }) }).stop).toBeUndefined();
  });

  test("fifty steps by default", () => {
    expect(play(times(60, look), { policy: presets.aar })).toMatchObject({
      state: { callCount: 50 },
      stop: { reason: "max_turns" },
    });
  });

  test("the time is looked at before the number of steps", () => {
    let clock = 1_000;
    const guardian = createGuardian({ policy: aarPolicy({ timeout: 10, maxSteps: 1 }), now: () => clock });
    guardian.beforeCalls([{ id: "a", tool: "read_file", args: {} }]);
    guardian.afterCall("a", { status: "ok", content: "text" });
    clock += 11_000;
    guardian.endTurn(); // both are over at once
    expect(guardian.stop?.reason).toBe("timeout");
  });
});

describe("loop flow: budget accounting", () => {
  test("a token budget that is exceeded ends the run", () => {
    const policy = aarPolicy({ tokenBudget: 10_000 });
    expect(play([tokens(4_000), tokens(9_999)], { policy })).toMatchObject({ summary: [], stop: undefined });
    expect(play([tokens(4_000), tokens(10_001)], { policy }).stop).toMatchObject({ reason: "token_budget" });
  });

  test("a cost limit that is exceeded ends the run", () => {
    const policy = aarPolicy({ costLimit: 1 });
    expect(play([spend(NANO_USD - 1)], { policy })).toMatchObject({ summary: [], stop: undefined });
    expect(play([spend(NANO_USD + 1)], { policy }).stop).toMatchObject({ reason: "run_budget" });
  });

  test("tokens are looked at before costs", () => {
    const both = signal({ type: "usage", used: { "run-tokens": 10_001, "run-cost": NANO_USD + 1 }, isPriced: true });
    expect(play([both], { policy: aarPolicy({ tokenBudget: 10_000, costLimit: 1 }) }).stop).toMatchObject({
      reason: "token_budget",
    });
  });

  test("a budget of 0 is none", () => {
    expect(
      play([tokens(1e12), spend(1e15)], { policy: aarPolicy({ tokenBudget: 0, costLimit: 0 }) }).stop,
    ).toBeUndefined();
    expect(play([tokens(1e12), spend(1e15)], { policy: presets.aar }).stop).toBeUndefined();
  });

  test("the budget is the session's: what earlier runs have cost counts", () => {
    const policy = aarPolicy({ costLimit: 1 });
    const first = createGuardian({ policy, now: () => 1, run: "first" });
    first.observe({
      type: "usage",
      used: { "run-cost": 0.6 * NANO_USD, "session-cost": 0.6 * NANO_USD },
      isPriced: true,
    });
    expect(first.stop).toBeUndefined();
    const second = createGuardian({
      policy,
      now: () => 2,
      run: "second",
      state: JSON.parse(JSON.stringify(first.snapshot())),
    });
    second.observe({
      type: "usage",
      used: { "run-cost": 0.6 * NANO_USD, "session-cost": 1.2 * NANO_USD },
      isPriced: true,
    });
    expect(second.stop?.reason ?? "continues").toMatch(/_budget$/);
  });

  test("the budget is looked at before the calls: those of the reply that exceeds it are not executed", () => {
    const guardian = createGuardian({ policy: aarPolicy({ tokenBudget: 10_000 }), now: () => 1 });
    guardian.observe({ type: "usage", used: { "run-tokens": 10_001 }, isPriced: true });
    expect(executes(guardian, [read("a.ts"), read("b.ts")], 0)).toBe(false);
  });
});

describe("loop flow: with calls and without", () => {
  test("a stuck step is not executed, every other one is", () => {
    expect(run([[read("a.ts")], ...repeat(4, [read("b.ts")])]).executed).toEqual([true, true, true, true, false]);
  });

  test("a reply without calls is no step: it neither repeats nor resets", () => {
    const played = play([...times(3, () => look(1)), says("Let me look again."), turn(look(1))], {
      policy: presets.aar,
    });
    expect([played.state.history.length, played.stop?.reason]).toEqual([3, "doom_loop"]);
    const state = repeat(3, [read("a.ts")]).reduce<SavedGuardrails>(observeToolCalls, {});
    expect(observeToolCalls(state, [])).toEqual(state);
  });

  test("a run in which nothing is wrong ends by itself", () => {
    expect(play([...times(10, look), says("Done.")], { policy: presets.aar })).toMatchObject({
      interventions: [],
      stop: undefined,
    });
  });
});

describe("the counters", () => {
  test("they are restored with the session: the preset", () => {
    const played = play([...times(3, () => look(1)), restart, turn(look(1)), turn(look(2))], { policy: presets.aar });
    expect([played.state.history.length, played.stop?.reason]).toEqual([3, "doom_loop"]);
  });

  test("they are restored with the session: the small interface", () => {
    const saved = (state: SavedGuardrails): SavedGuardrails =>
      JSON.parse(JSON.stringify({ guardrails: state })).guardrails;
    let state: SavedGuardrails = {};
    for (const step of repeat(4, [read("a.ts")])) state = saved(observeToolCalls(state, step));
    expect(isStuck(state)).toBe(true);
    state = saved(maxTokensFollowup(saved(maxTokensFollowup(state)?.state))?.state);
    expect([state?.recoveries, maxTokensFollowup(state)]).toEqual([2, undefined]);
  });

  test("a session that has none yet begins at zero", () => {
    for (const none of [{}, null, undefined])
      expect(observeToolCalls(none, [])).toEqual({ recoveries: 0, repeatedToolSteps: 0, toolSignature: "" });
  });
});

describe("1. max-tokens recovery", () => {
  /** How many truncated replies are continued. */
  function recoveries(config: Partial<GuardrailsConfig> = {}): number {
    let state: SavedGuardrails = {};
    for (let count = 0; count < 20; count++) {
      const next = maxTokensFollowup(state, config);
      if (next === undefined) return count;
      state = next.state;
    }
    return 20;
  }

  test("two by default, then a truncated reply is an end like any other", () => {
    expect([defaultGuardrails.maxTokensRecoveries, recoveries()]).toEqual([2, 2]);
  });

  test.each([0, 1, 3, 7])("as many as are set: %i", (maxTokensRecoveries) => {
    expect(recoveries({ maxTokensRecoveries })).toBe(maxTokensRecoveries);
  });

  test("the message is the user's, internal, tagged with its reason, and asks to continue where it was cut off", () => {
    expect(maxTokensFollowup({})?.message).toEqual({
      role: "user",
      content: expect.stringMatching(/cut off.*continue/i),
      isInternal: true,
      reason: "max_tokens_recovery",
    });
  });

  test("recoveries and repetitions are counted apart", () => {
    const stuck = repeat(4, [read("a.ts")]).reduce<SavedGuardrails>(observeToolCalls, {});
    expect(maxTokensFollowup(stuck)?.state).toMatchObject({ recoveries: 1, repeatedToolSteps: 3 });
  });
});

describe("2. repetition", () => {
  test("three repetitions by default: the fourth equal step ends the run before it is executed", () => {
    expect(defaultGuardrails.maxRepeatedToolSteps).toBe(3);
    expect(endsAt(repeat(3, [read("a.ts")]))).toBeUndefined();
    expect(endsAt(repeat(4, [read("a.ts")]))).toBe(3);
    expect(repeatedSteps(["a", "a", "a", "a"])).toBe(3);
  });

  test("there is no message before", () => {
    const played = play(
      times(4, () => look(1)),
      { policy: presets.aar },
    );
    expect(played.interventions).toMatchObject([{ detector: "seed-aar", level: "halt", effect: "stop", count: 4 }]);
  });

  test.each([1, 2, 3, 5, 10])("the number of repetitions is a setting: %i", (max) => {
    expect(endsAt(repeat(max, [read("a.ts")]), max)).toBeUndefined();
    expect(endsAt(repeat(max + 3, [read("a.ts")]), max)).toBe(max);
  });

  test("a step of several calls is their set: in whatever order they come", () => {
    const [a, b, c] = [read("a.ts"), read("b.ts"), write("x")];
    expect(
      endsAt([
        [a, b, c],
        [c, a, b],
        [b, c, a],
        [c, b, a],
      ]),
    ).toBe(3);
    expect(endsAt([[a, b], [a, b], [a, b], [a], [a, b]])).toBeUndefined();
    expect(
      endsAt([
        [a, b],
        [a, b],
        [a, b],
        [a, b, c],
        [a, b],
      ]),
    ).toBeUndefined();
  });

  test("a step of many calls is refused as a whole", () => {
    const step = Array.from({ length: 20 }, (_, i) => read(`file${i}.ts`));
    expect(endsAt(repeat(4, step))).toBe(3);
  });

  test("the signature is of names and key=value pairs, in whatever order the keys come", () => {
    const grep = (args: Readonly<Record<string, unknown>>): Step => [{ name: "grep", arguments: args }];
    expect(endsAt([grep({ a: 1, b: 2 }), grep({ b: 2, a: 1 }), grep({ a: 1, b: 2 }), grep({ b: 2, a: 1 })])).toBe(3);
    expect(
      endsAt([0, 1, 2, 3, 4].map((i) => [{ name: i % 2 === 0 ? "grep" : "find", arguments: { a: 1 } }])),
    ).toBeUndefined();
    expect(endsAt([0, 1, 2, 3, 4].map((i) => grep(i % 2 === 0 ? { a: 1 } : { b: 1 })))).toBeUndefined();
  });

  test("the same step adds one, another sets back to zero", () => {
    const counts: number[] = [];
    let state: SavedGuardrails = {};
    for (const step of ["a", "a", "a", "b", "b", "a", "a"]) {
      const next = observeToolCalls(state, [read(step)]);
      counts.push(next.repeatedToolSteps);
      state = next;
    }
    expect(counts).toEqual([0, 1, 2, 0, 1, 0, 1]);
    expect(endsAt(["a", "a", "a", "b", "a", "a", "a", "b"].map((path) => [read(path)]))).toBeUndefined();
  });

  test("the same tool on different files is no repetition", () => {
    expect(endsAt(Array.from({ length: 30 }, (_, i) => [read(`file${i}.ts`)]))).toBeUndefined();
  });

  test("values are distinguished by their first 200 characters", () => {
    const after = (length: number): readonly Step[] => [0, 1, 2, 3].map((i) => [write(`${"x".repeat(length)}${i}`)]);
    expect(endsAt(after(199))).toBeUndefined();
    expect(endsAt(after(200))).toBe(3);
  });

  test("the results do not count", () => {
    const played = play(
      times(4, (i) => call("status", {}, ["red", "green", "blue", "black"][i])),
      { policy: presets.aar },
    );
    expect(played.stop).toMatchObject({ reason: "doom_loop" });
  });

  test("the preset and the small interface agree on any steps", () => {
    const value = fc.constantFrom<unknown>(
      "a",
      "b",
      "x".repeat(300),
      `${"x".repeat(200)}y`,
      { p: 1, q: [1, 2] },
      ["x".repeat(250), 1],
      ["x".repeat(250), 2],
      7,
      null,
    );
    const asked = fc.record({
      name: fc.constantFrom("read_file", "bash"),
      arguments: fc.record({ path: value, more: value }, { requiredKeys: ["path"] }),
    });
    const step = fc.array(asked, { minLength: 1, maxLength: 3 });
    const shuffled = step.chain((calls) =>
      fc.tuple(...Array.from({ length: 4 }, () => fc.shuffledSubarray(calls, { minLength: calls.length }))),
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            step.map((each) => [each]),
            shuffled,
          ),
          { minLength: 1, maxLength: 6 },
        ),
        (parts) => {
          endsAt(parts.flat());
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("3. budget proximity", () => {
  /** Whether the guardian and the small interface both say so, of the same use. */
  function isNear(
    used: { readonly tokens?: number; readonly cents?: number },
    of: { readonly tokenBudget?: number; readonly costLimit?: number },
    reserve = {},
  ): boolean {
    const guardian = createGuardian({ policy: aarPolicy(of), now: () => 1 });
    const { tokens = 0, cents = 0 } = used;
    guardian.observe({ type: "usage", used: { "run-tokens": tokens, "run-cost": cents * 10_000_000 }, isPriced: true });
    const said = guardian.nearBudget(reserve);
    const usage = {
      totalTokens: tokens,
      tokenBudget: of.tokenBudget ?? 0,
      totalCost: cents,
      costLimit: (of.costLimit ?? 0) * 100,
    };
    expect(nearBudget(usage, reserve)).toBe(said);
    return said;
  }

  test("with 512 tokens left, or fewer", () => {
    const of = { tokenBudget: 10_000 };
    expect([0, 5_000, 9_487, 9_488, 9_999, 10_500].map((tokens) => isNear({ tokens }, of))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test("with a tenth of the cost limit left, or less", () => {
    const of = { costLimit: 1 };
    expect([0, 50, 89, 90, 99, 120].map((cents) => isNear({ cents }, of))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test("a tenth holds to the nano-dollar for every limit in cents", () => {
    const wrong = Array.from({ length: 500 }, (_, i) => i + 1).filter((cents) => {
      const guardian = createGuardian({ policy: aarPolicy({ costLimit: cents / 100 }), now: () => 1 });
      const near = [cents * 9_000_000 - 1, cents * 9_000_000].map((spent) => {
        guardian.observe({ type: "usage", used: { "run-cost": spent }, isPriced: true });
        return guardian.nearBudget();
      });
      return near.join() !== "false,true";
    });
    expect(wrong.slice(0, 5)).toEqual([]);
  });

  test("both reserves are settings", () => {
    expect(
      [8_999, 9_000].map((tokens) => isNear({ tokens }, { tokenBudget: 10_000 }, { reserveTokens: 1_000 })),
    ).toEqual([false, true]);
    expect([74, 75].map((cents) => isNear({ cents }, { costLimit: 1 }, { reserveCostFraction: 0.25 }))).toEqual([
      false,
      true,
    ]);
  });

  test("one of both is enough", () => {
    const of = { tokenBudget: 10_000, costLimit: 1 };
    expect([
      isNear({ tokens: 9_500, cents: 1 }, of),
      isNear({ tokens: 1, cents: 95 }, of),
      isNear({ tokens: 1, cents: 1 }, of),
    ]).toEqual([true, true, false]);
  });

  test("it is only a query: there is no message, and the run continues until the limit", () => {
    const near = play([tokens(9_900), turn(look(1))], { policy: aarPolicy({ tokenBudget: 10_000 }) });
    expect(near).toMatchObject({ interventions: [], stop: undefined, state: { callCount: 1 } });
    expect(play([tokens(10_001)], { policy: aarPolicy({ tokenBudget: 10_000 }) }).stop).toMatchObject({
      reason: "token_budget",
    });
  });
});

describe("config section", () => {
  test("four keys with their defaults", () => {
    expect(defaultGuardrails).toEqual({
      maxTokensRecoveries: 2,
      maxRepeatedToolSteps: 3,
      reserveTokens: 512,
      reserveCostFraction: 0.1,
    });
  });

  test("no recoveries at 0", () => {
    expect(maxTokensFollowup({}, { maxTokensRecoveries: 0 })).toBeUndefined();
  });

  test("what is not set keeps its default", () => {
    expect(isStuck({ repeatedToolSteps: 3 }, { reserveTokens: 9 })).toBe(true);
    expect(nearBudget({ totalTokens: 9_488, tokenBudget: 10_000 }, { maxTokensRecoveries: 9 })).toBe(true);
  });
});

describe("tuning", () => {
  test.each([0.15, 0.2])("a cost fraction of %d warns earlier than the default", (reserveCostFraction) => {
    const guardian = createGuardian({ policy: aarPolicy({ costLimit: 1 }), now: () => 1 });
    guardian.observe({ type: "usage", used: { "run-cost": (1 - reserveCostFraction) * NANO_USD }, isPriced: true });
    expect([guardian.nearBudget({ reserveCostFraction }), guardian.nearBudget()]).toEqual([true, false]);
    const usage = { totalCost: 100 - 100 * reserveCostFraction, costLimit: 100 };
    expect([nearBudget(usage, { reserveCostFraction }), nearBudget(usage)]).toEqual([true, false]);
  });

  test("three recoveries for models that are cut off more often", () => {
    expect(maxTokensFollowup({ recoveries: 2 }, { maxTokensRecoveries: 3 })?.state.recoveries).toBe(3);
  });

  test("fewer repetitions end the run sooner", () => {
    expect([3, 2, 1].map((max) => endsAt(repeat(5, [read("a.ts")]), max))).toEqual([3, 2, 1]);
  });

  test("without a cost limit the fraction has no effect", () => {
    const guardian = createGuardian({ policy: aarPolicy({ costLimit: 0 }), now: () => 1 });
    guardian.observe({ type: "usage", used: { "run-cost": 1e15 }, isPriced: true });
    for (const reserveCostFraction of [0, 0.1, 1]) {
      expect(guardian.nearBudget({ reserveCostFraction })).toBe(false);
      expect(nearBudget({ totalCost: 1e15, costLimit: 0 }, { reserveCostFraction })).toBe(false);
    }
  });
});

describe("state transitions: each way to end has a reason of its own", () => {
  test.each<readonly [string, readonly ScriptStep[], AarSettings, string | undefined]>([
    ["completed", [...times(3, look), says("Done.")], {}, undefined],
    ["timed out", [pause(31_000)], { timeout: 30 }, "timeout"],
    ["the most steps", times(5, look), { maxSteps: 5 }, "max_turns"],
    ["tokens exceeded", [tokens(101)], { tokenBudget: 100 }, "token_budget"],
    ["costs exceeded", [spend(2 * NANO_USD)], { costLimit: 1 }, "run_budget"],
    ["repetition", times(4, () => look(1)), {}, "doom_loop"],
  ])("%s", (_, script, settings, reason) => {
    expect(play(script, { policy: aarPolicy(settings) }).stop?.reason).toBe(reason);
  });
});

// Not the guardian's, but the runtime's: cancelling, context strategies, the provider with its retries and back-off,
// prices and the sums of
// tokens and costs, running tools, waiting for input, the follow-up's way into the conversation, and the end marker of
// every stream.

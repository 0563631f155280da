import { readFileSync } from "node:fs";
import {
  createGuardian,
  defaultPolicy,
  type Guardian,
  type GuardianEvent,
  type Intervention,
  type Policy,
} from "@sheepdog/guardian";
import { aarPolicy, presets, ryvosPolicy } from "@sheepdog/guardian/presets";
import { createLoopGuard } from "@sheepdog/guardian/seeds";
import {
  call,
  fails,
  message,
  pause,
  play,
  restart,
  type ScriptStep,
  signal,
  spend,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const START = 1_700_000_000_000;
const CENT = 10_000_000;

/** Not even a hint. */
function silent(script: readonly ScriptStep[], policy: Policy = defaultPolicy): void {
  expect(
    play(script, { policy }).interventions.map(({ detector, level, message }) => `${detector} ${level}: ${message}`),
  ).toEqual([]);
}

/** One call from the question to the end of its turn, as a loop would make it; what the model is told then. */
function make(guardian: Guardian, id: string, tool: string, args: unknown, content: unknown): readonly Intervention[] {
  if (guardian.beforeCall({ id, tool, args }).allow) guardian.afterCall(id, { status: "ok", content });
  return guardian.endTurn();
}

/**
 * A state without the fields of limits, streams and subagents, saved after the hint and the warning of the fourth
 * equal call.
 */
const savedBefore: unknown = JSON.parse(
  readFileSync(new URL("fixtures/state-without-limits.json", import.meta.url), "utf8"),
);

const listing = "README.md\npackage.json\nsrc\ntest";
const peek = () => call("list_dir", { path: "." }, listing);
const failingTest = "FAIL src/sum.test.ts\n  ✕ adds numbers\n    Expected: 3\n    Received: 4";
const isolated = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe("the traps other guardians fell into", () => {
  test.each(["default", "strict", "ryvos", "aar", "llm-rb"] as const)(
    "trap 1: a model that ignores every hint is ended: %s",
    (preset) => {
      const played = play(times(60, peek), { policy: presets[preset] });
      expect(played.stop?.reason).toBe("doom_loop");
    },
  );

  test("trap 1: so is one that fails and fails, by the guardrails of tools", () => {
    const failing = times(60, () => fails("bash", { command: "make" }, "make: *** No targets specified.  Stop."));
    for (const preset of ["default", "tool-guardrails"] as const)
      expect(play(failing, { policy: presets[preset] }).stop, preset).toBeDefined();
  });

  test("trap 1: Ryvos hints at 3 and climbs by 3; it never refuses, and ends at 12", () => {
    const seen: number[] = [];
    const played = play(times(60, peek), {
      policy: presets.ryvos,
      after: (guardian) => void seen.push(guardian.snapshot().callCount),
    });
    expect(played.interventions.map(({ call, level }) => [call + 1, level])).toEqual([
      [3, "hint"],
      [6, "warn"],
      [9, "warn"],
      [12, "halt"],
    ]);
    expect(played.refused).toBe(0);
    expect(Math.max(...seen)).toBe(12);
  });

  test("trap 1: with another threshold of Ryvos' own", () => {
    expect(
      play(times(60, peek), { policy: ryvosPolicy({ doomLoopThreshold: 5 }) }).interventions.map(
        ({ call }) => call + 1,
      ),
    ).toEqual([5, 10, 15, 20]);
  });

  test("trap 1: AAR ends the run at the fourth equal step, before it is executed", () => {
    const guardian = createGuardian({ now: () => START, policy: presets.aar });
    const verdicts = Array.from({ length: 4 }, (_, i) => {
      const [verdict] = guardian.beforeCalls([{ id: `c${i}`, tool: "list_dir", args: { path: "." } }]);
      if (verdict?.allow) guardian.afterCall(`c${i}`, { status: "ok", content: listing });
      guardian.endTurn();
      return verdict?.allow;
    });
    expect(verdicts).toEqual([true, true, true, false]);
    expect(guardian.stop?.reason).toBe("doom_loop");
  });

  test("trap 2: A, B, A, B and A, B, C, A, B, C", () => {
    const [a, b, c] = ["a", "b", "c"].map((name) =>
      call("read", { path: `${name}.ts` }, `export const ${name} = "${name.repeat(9)}";`),
    );
    for (const lap of [
      [a, b],
      [a, b, c],
    ] as (typeof a)[][]) {
      const script = times(60, () => lap as NonNullable<typeof a>[]);
      const played = play(script);
      expect(played.summary[0]).toMatch(/ (hint|warn)$/);
      expect(played.stop).toBeDefined();
      // llm.rb refuses what would complete the third lap.
      const guarded = play(script, { policy: presets["llm-rb"] });
      expect(guarded.interventions[0]).toMatchObject({ effect: "deny", call: 3 * lap.length - 2 });
      expect(guarded.stop?.reason).toBe("doom_loop");
    }
  });

  test.each([
    ["A, B", 2],
    ["A, B, C", 3],
  ])(
    "trap 2: %s: the preset llm-rb refuses the calls that llm.rb's own guard warns of, which finds refused " +
      "calls in the messages as well",
    (_, period) => {
      const guard = createLoopGuard({ threshold: 3 });
      const guardian = createGuardian({ now: () => START, policy: presets["llm-rb"] });
      const messages: { role: string; toolCalls: { name: string; arguments: string }[] }[] = [];
      const seen = Array.from({ length: 20 }, (_, i) => {
        const args = { path: `${"abc"[i % period]}.ts` };
        messages.push({ role: "assistant", toolCalls: [{ name: "read", arguments: JSON.stringify(args) }] });
        const [verdict] = guardian.beforeCalls([{ id: `c${i}`, tool: "read", args }]);
        if (verdict?.allow) guardian.afterCall(`c${i}`, { status: "ok", content: `the text of ${args.path}` });
        guardian.endTurn();
        return { isWarnedOf: guard.call({ messages }) !== null, isRefused: verdict?.allow === false };
      });
      expect(seen.map(({ isRefused }) => isRefused)).toEqual(seen.map(({ isWarnedOf }) => isWarnedOf));
    },
  );

  test("trap 3: a poll whose result changes passes", () => {
    silent(times(15, (i) => call("get_build_status", { build: 41 }, `state: running, ${i * 6 + 3} % done`)));
    silent(
      times(15, (i) => [
        call("bash", { command: "tail -n 3 build.log" }, `[${i * 7}/105] compiling module_${i * 13}.cc`),
        pause(5_000),
      ]),
    );
  });

  test("trap 4: edit, test, edit, test with files that change passes", () => {
    silent(
      times(15, (i) => [
        call(
          "edit",
          {
            path: `src/part${i % 4}.ts`,
            old_string: `const limit${i} = ${i};`,
            new_string: `const limit${i} = ${i * 10 + 1};`,
          },
          "The file has been updated.",
        ),
        fails("bash", { command: "npm test" }, failingTest),
      ]),
    );
  });

  test.each(["default", "ryvos", "aar", "llm-rb", "tool-guardrails"] as const)(
    "trap 5: the same call in three separate turns of a person passes: %s",
    (preset) => {
      silent(
        times(3, () => [message(), call("get_weather", { city: "Lisbon" }, "18 °C, clear")]),
        presets[preset],
      );
    },
  );

  test("trap 6: three identical parallel calls get not even a hint", () => {
    const batch = turn(peek(), peek(), peek());
    silent([batch]);
    silent([batch], presets.aar); // one step
  });

  test("trap 6: llm.rb refuses all of them, as its document says", () => {
    const guardian = createGuardian({ now: () => START, policy: presets["llm-rb"] });
    const calls = ["a", "b", "c"].map((id) => ({ id, tool: "list_dir", args: { path: "." } }));
    expect(guardian.beforeCalls(calls).map(({ allow }) => allow)).toEqual([false, false, false]);
  });

  test("trap 7: the order of keys, at any depth, makes no other call", () => {
    const orders = [
      { filter: { state: "open", by: { team: "core", since: 3 } }, sort: ["age", "size"] },
      { sort: ["age", "size"], filter: { by: { since: 3, team: "core" }, state: "open" } },
      { filter: { by: { team: "core", since: 3 }, state: "open" }, sort: ["age", "size"] },
    ];
    const script = times(12, (i) => call("list_issues", orders[i % 3], "#4 #9 #12"));
    expect(play(script).interventions[0]?.call).toBe(2);
    expect(play(script, { policy: presets.ryvos }).interventions[0]?.call).toBe(2);
    expect(play(script, { policy: presets["llm-rb"] }).interventions[0]?.call).toBe(1);
    expect(play(script, { policy: presets.aar }).stop?.reason).toBe("doom_loop");
  });

  test("trap 8: long writes that share their first 300 characters are different calls", () => {
    const header = `/* ${"This file is part of the suite and is released under the MIT licence. ".repeat(6)} */\n`;
    expect(header.length).toBeGreaterThan(300);
    const names = ["harbour", "meadow", "tower", "river"];
    const script = times(4, (i) =>
      call(
        "write_file",
        {
          content: `${header}export function ${names[i]}${i * 7}() { return ${i * 31}; }\n`,
          path: `src/${names[i]}.ts`,
        },
        `Wrote ${names[i]}.ts`,
      ),
    );
    silent(script);
    silent(script, presets.ryvos);
    silent(script, presets["llm-rb"]);
  });

  test("trap 9: two sessions at the same time do not mix", () => {
    const events: Record<"a" | "b", GuardianEvent[]> = { a: [], b: [] };
    const [a, b] = (["a", "b"] as const).map((name) =>
      createGuardian({ now: () => START, emit: (event) => void events[name].push(event) }),
    );
    if (a === undefined || b === undefined) throw new Error("expected two guardians");
    for (let i = 0; i < 2; i++)
      for (const guardian of [a, b]) make(guardian, `c${i}`, "list_dir", { path: "." }, listing);
    expect([...events.a, ...events.b]).toEqual([]);
    for (let i = 2; i < 12; i++) make(a, `c${i}`, "list_dir", { path: "." }, listing);
    expect(a.stop?.reason).toBe("doom_loop");
    expect(b.stop).toBeUndefined();
    expect(events.b).toEqual([]);
    expect(b.beforeCall({ id: "c9", tool: "list_dir", args: { path: "." } })).toEqual({ allow: true });
  });

  test("trap 10: a run that was cancelled in the middle of everything leaves the next one usable", () => {
    const before = createGuardian({ now: () => START, run: "run_1" });
    before.beforeCalls(
      Array.from({ length: 8 }, (_, i) => ({ id: `c${i}`, tool: "bash", args: { command: `sleep ${i}` } })),
    );
    before.observe({ type: "stream-start" });
    before.delta("text", "Half a sentence that was cut");
    before.observe({ type: "waiting", for: "tool" });
    before.observe({ type: "child-start", id: "child", depth: 1 });
    const events: GuardianEvent[] = [];
    const later = { at: START };
    const after = createGuardian({
      now: () => later.at,
      run: "run_2",
      state: JSON.parse(JSON.stringify(before.snapshot())),
      emit: (event) => void events.push(event),
    });
    for (let i = 0; i < 40; i++) {
      later.at += 20_000;
      after.observe({ type: "tick" });
    }
    expect(make(after, "c0", "read", { path: "a.ts" }, "export {}")).toEqual([]);
    expect(events).toEqual([]);
    expect(after.stop).toBeUndefined();
  });

  test("trap 10: a run that a limit or a loop has ended does not end those after it", () => {
    const before = createGuardian({
      now: () => START,
      run: "run_1",
      policy: { ...defaultPolicy, limits: { "run-cost": { stop: 10 } } },
    });
    before.observe({ type: "usage", used: { "run-cost": 10 }, isPriced: true });
    expect(before.stop).toBeDefined();
    const after = createGuardian({
      now: () => START,
      run: "run_2",
      policy: { ...defaultPolicy, limits: { "run-cost": { stop: 10 } } },
      state: JSON.parse(JSON.stringify(before.snapshot())),
    });
    expect(after.stop).toBeUndefined();
    expect(after.beforeCall({ id: "c0", tool: "read", args: {} })).toEqual({ allow: true });
  });

  test("trap 11: a listener that throws stops nothing", () => {
    const guardian = createGuardian({
      now: () => START,
      emit: () => {
        throw new Error("the listener is gone");
      },
    });
    const heard = Array.from({ length: 12 }, (_, i) =>
      make(guardian, `c${i}`, "list_dir", { path: "." }, listing),
    ).flat();
    expect(heard.map(({ level }) => level)).toEqual(["hint", "warn", "block"]);
    expect(guardian.stop?.reason).toBe("doom_loop");
  });

  test(
    "trap 12: nothing is said between a call and its result; what there is to say comes when all results are " +
      "there",
    () => {
      const events: GuardianEvent[] = [];
      const guardian = createGuardian({
        now: () => START,
        emit: (event) => void events.push(event),
        policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 100, stop: 1_000 } } },
      });
      const words: string[] = [];
      for (let i = 0; i < 5; i++) {
        const calls = ["x", "y", "z"].map((name) => ({
          id: `${name}${i}`,
          tool: "read",
          args: { path: `${name}.ts` },
        }));
        const known = events.length;
        const verdicts = guardian.beforeCalls(calls);
        for (const [place, { id, args }] of calls.entries())
          if (verdicts[place]?.allow)
            guardian.afterCall(id, { status: "ok", content: `the text of ${args.path} ${args.path.repeat(3)}` });
        const between = events
          .slice(known)
          .flatMap((event) => (event.type === "intervention" ? [event.intervention] : []));
        expect(between.filter(({ effect }) => effect !== "deny")).toEqual([]);
        words.push(...guardian.endTurn().map(({ level }) => level));
      }
      expect(words[0]).toBe("hint");
    },
  );

  test("trap 12: a warning of a limit that comes while calls are open waits for the end of the turn as well", () => {
    const guardian = createGuardian({
      now: () => START,
      policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 100 } } },
    });
    guardian.beforeCall({ id: "a", tool: "read", args: {} });
    guardian.observe({ type: "usage", used: { "run-tokens": 150 }, isPriced: true });
    guardian.afterCall("a", { status: "ok", content: "text" });
    expect(guardian.endTurn().map(({ detector }) => detector)).toEqual(["run-tokens"]);
  });

  test("trap 13: costs below a cent add up", () => {
    const policy: Policy = { ...defaultPolicy, limits: { "run-cost": { warn: 0.8 * CENT, stop: CENT } } };
    let spent = 0;
    const script = times(1_000, () => {
      spent += 12_345; // a thousandth of a cent and a little
      return spend(spent);
    });
    const played = play(script, { policy });
    expect(played.summary).toEqual(["run-cost warn", "run-cost halt"]);
    expect(played.interventions[1]?.count).toBe(Math.ceil(CENT / 12_345) * 12_345);
  });

  test("trap 13: and so do those of subagents", () => {
    const policy: Policy = { ...defaultPolicy, limits: { "run-cost": { stop: CENT } }, detectors: {} };
    const played = play(
      times(1_000, (i) => [
        signal({ type: "child-start", id: `c${i}`, depth: 1 }),
        signal({ type: "usage", used: { "run-cost": 12_345 }, isPriced: true, child: `c${i}` }),
        signal({ type: "child-end", id: `c${i}`, depth: 1, findings: [] }),
      ]),
      { policy },
    );
    expect(played.interventions[0]?.count).toBe(Math.ceil(CENT / 12_345) * 12_345);
  });

  test.each(["default", "ryvos"] as const)(
    "trap 14: the month is over, and the next run may spend again: %s",
    (preset) => {
      const policy: Policy =
        preset === "ryvos"
          ? ryvosPolicy({ monthlyLimitCents: 100, warningThresholdCents: 80 })
          : { ...defaultPolicy, limits: { "month-cost": { warn: 80 * CENT, stop: 100 * CENT } } };
      const march = createGuardian({ now: () => START, policy, run: "run_1" });
      march.observe({ type: "usage", used: { "month-cost": 101 * CENT }, isPriced: true, month: "2026-03" });
      expect(march.stop?.reason).toBe("month_budget");
      const state = JSON.parse(JSON.stringify(march.snapshot()));
      const stillMarch = createGuardian({ now: () => START, policy, run: "run_2", state });
      stillMarch.observe({ type: "usage", used: { "month-cost": 101 * CENT }, isPriced: true, month: "2026-03" });
      expect(stillMarch.stop?.reason).toBe("month_budget");
      const april = createGuardian({
        now: () => START,
        policy,
        run: "run_3",
        state: JSON.parse(JSON.stringify(stillMarch.snapshot())),
      });
      april.observe({ type: "usage", used: { "month-cost": 0 }, isPriced: true, month: "2026-04" });
      expect(april.stop).toBeUndefined();
      expect(april.beforeCall({ id: "a", tool: "read", args: {} })).toEqual({ allow: true });
      expect(
        april
          .observe({ type: "usage", used: { "month-cost": 85 * CENT }, isPriced: true, month: "2026-04" })
          .map(({ level }) => level),
      ).toEqual(["warn"]);
    },
  );

  test(
    "trap 15: a crash in the middle of a turn: the resumed run remembers its loop, and the lost call counts " +
      "for nothing",
    () => {
      const before = createGuardian({ now: () => START, run: "run_1" });
      for (let i = 0; i < 2; i++) make(before, `c${i}`, "list_dir", { path: "." }, listing);
      before.beforeCall({ id: "lost", tool: "list_dir", args: { path: "." } });
      const after = createGuardian({
        now: () => START,
        run: "run_1",
        state: JSON.parse(JSON.stringify(before.snapshot())),
      });
      expect(() => after.afterCall("lost", { status: "interrupted", content: "outcome unknown" })).not.toThrow();
      expect(make(after, "c2", "list_dir", { path: "." }, listing).map(({ level }) => level)).toEqual(["hint"]);
    },
  );

  test.each(["default", "ryvos", "aar", "llm-rb", "tool-guardrails"] as const)(
    "trap 15: a new process for every call ends where one process ends: %s",
    (preset) => {
      const policy = presets[preset];
      const failing = () => fails("bash", { command: "make deploy" }, "deploy.sh: line 4: REGION: unbound variable");
      const once = play(times(60, failing), { policy });
      const many = play(
        times(60, () => [failing(), restart]),
        { policy },
      );
      const upToEnd = (said: readonly string[]) => said.slice(0, said.findIndex((each) => each.endsWith("halt")) + 1);
      expect(once.stop).toBeDefined();
      expect(upToEnd(many.summary)).toEqual(upToEnd(once.summary));
    },
  );

  test("trap 16: a detector that throws is switched off and named, and the others continue", () => {
    const events: GuardianEvent[] = [];
    let isBroken = false;
    const spawn = {
      ...defaultPolicy.spawn,
      get depth(): number {
        if (isBroken) throw new Error("the policy cannot be read any more");
        return 4;
      },
    };
    const policy = { ...defaultPolicy, spawn };
    const guardian = createGuardian({ now: () => START, policy, emit: (event) => void events.push(event) });
    isBroken = true;
    for (let i = 0; i < 3; i++)
      expect(() => guardian.observe({ type: "child-start", id: `k${i}`, depth: 1 })).not.toThrow();
    expect(events).toEqual([{ type: "detector-off", detector: "spawn" }]);
    for (let i = 0; i < 12; i++) make(guardian, `c${i}`, "list_dir", { path: "." }, listing);
    expect(guardian.stop?.reason).toBe("doom_loop");
  });

  test("trap 16: words that throw become plain ones, and a limit still ends the run", () => {
    const guardian = createGuardian({
      now: () => START,
      policy: { ...defaultPolicy, limits: { "run-tokens": { stop: 10 } } },
      words: () => {
        throw new Error("no words");
      },
    });
    guardian.observe({ type: "usage", used: { "run-tokens": 10 }, isPriced: true });
    expect(guardian.stop).toMatchObject({ reason: "token_budget", message: expect.stringContaining("10 tokens") });
  });

  test("trap 17: a loop in the state that an older version saved is still ended, at the count it has in all", () => {
    const saved = savedBefore as {
      readonly callCount: number;
      readonly episodes: readonly { readonly detector: string; readonly level: string }[];
    }; // as in the fixture
    expect([saved.callCount, saved.episodes]).toEqual([
      4,
      [expect.objectContaining({ detector: "doom-loop", level: "warn" })],
    ]);
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ now: () => START, state: savedBefore, emit: (event) => void events.push(event) });
    expect(events).toEqual([]);
    const told: string[] = [];
    let attempts = 0;
    for (; guardian.stop === undefined && attempts < 20; attempts++)
      told.push(
        ...make(guardian, `later${attempts}`, "list_dir", { path: "." }, listing).map(
          ({ detector, level, count }) => `${detector} ${level} ${count}`,
        ),
      );
    expect(told).toEqual(["doom-loop block 5"]);
    expect([saved.callCount + attempts, guardian.stop?.reason]).toEqual([8, "doom_loop"]);
  });

  test("trap 17: everything that is new works with the state of an older version", () => {
    const events: GuardianEvent[] = [];
    const clock = { now: START };
    const policy: Policy = {
      ...defaultPolicy,
      limits: {
        time: { stop: 60_000 },
        turns: { stop: 100 },
        "run-tokens": { stop: 1_000 },
        "run-cost": { stop: 1_000 },
      },
    };
    const guardian = createGuardian({
      now: () => clock.now,
      policy,
      state: savedBefore,
      emit: (event) => void events.push(event),
    });
    expect(events).toEqual([]);
    guardian.delta("text", "I am sorry. ".repeat(200));
    guardian.endTurn();
    guardian.message("Done.");
    guardian.observe({ type: "compacted" });
    guardian.observe({ type: "child-start", id: "c", depth: 1 });
    guardian.observe({ type: "usage", used: { "run-tokens": 600 }, isPriced: true, child: "c" });
    guardian.observe({ type: "child-end", id: "c", depth: 1, findings: ["chant"] });
    expect(events.map((event) => (event.type === "intervention" ? event.intervention.detector : event.type))).toEqual([
      "chant",
    ]);
    expect(JSON.parse(JSON.stringify(guardian.snapshot()))).toEqual(guardian.snapshot());
    expect(JSON.stringify(guardian.snapshot())).not.toMatch(/Ms":null/);
    for (let i = 0; i < 5; i++) {
      clock.now += 20_000;
      guardian.observe({ type: "tick" });
    }
    expect(guardian.stop?.reason).toBe("timeout");
  });

  test.each([null, 0, "", "{}", [], { version: 2 }, { version: 1 }, { version: 1, clock: null, limits: null }])(
    "trap 17: %j in place of a state does no harm",
    (state) => {
      const guardian = createGuardian({ now: () => START, state });
      for (let i = 0; i < 12; i++) make(guardian, `c${i}`, "list_dir", { path: "." }, listing);
      expect(guardian.stop?.reason).toBe("doom_loop");
    },
  );

  test("trap 18: what is not ASCII is cut between characters, never within one", () => {
    const sheep = "🐑".repeat(400);
    for (let shift = 0; shift < 4; shift++) {
      const played = play(
        times(12, () =>
          fails(`werkzeug-ü${sheep}`, { text: "a".repeat(shift) + sheep }, `Fehler ${"x".repeat(shift)}${sheep}`),
        ),
        { policy: presets.default },
      );
      expect(played.stop).toBeDefined();
      const texts = [
        ...played.interventions.flatMap(({ message, tool }) => [message, tool ?? ""]),
        JSON.stringify(played.state),
      ];
      for (const text of texts) expect(text).not.toMatch(isolated);
    }
  });

  test("trap 18: arguments, streams and ids that are not ASCII, at every place where something is cut", () => {
    const sheep = "🐑".repeat(300);
    for (let shift = 0; shift < 3; shift++) {
      const guardian = createGuardian({ now: () => START, policy: aarPolicy() });
      const id = `${"i".repeat(shift)}${sheep}`;
      guardian.beforeCalls([{ id, tool: sheep, args: { text: `${"t".repeat(shift)}${sheep}` } }]);
      guardian.afterCall(id, { status: "ok", content: sheep });
      guardian.delta("text", `${"s".repeat(shift)}${sheep.repeat(9)}`);
      guardian.observe({ type: "child-start", id, depth: 1 });
      guardian.observe({ type: "usage", used: { "month-cost": 1 }, isPriced: true, month: id });
      guardian.observe({ type: "mute", tool: sheep });
      guardian.endTurn();
      expect(JSON.stringify(guardian.snapshot())).not.toMatch(isolated);
      expect(JSON.stringify(guardian.snapshot())).not.toMatch(/\\ud[89a-f]/i);
    }
  });

  test.each(["default", "strict", "ryvos"] as const)(
    "trap 19: a long stream that still comes is no stall before twenty times the limit: %s",
    (preset) => {
      silent(
        [
          signal({ type: "waiting", for: "stream" }),
          signal({ type: "stream-start" }),
          ...times(39, (i) => [
            signal({ type: "delta", channel: i % 2 === 0 ? "text" : "thinking", text: `${i * 7_919} ` }),
            pause(60_000),
          ]),
        ],
        presets[preset],
      );
    },
  );

  test("trap 19: also where the caller streams in pieces smaller than the guardian looks at", () => {
    const clock = { now: START };
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ now: () => clock.now, emit: (event) => void events.push(event) });
    guardian.observe({ type: "stream-start" });
    guardian.observe({ type: "waiting", for: "stream" });
    for (let i = 0; i < 119; i++) {
      clock.now += 20_000;
      guardian.delta("thinking", String.fromCharCode(97 + ((i * 7) % 26)));
      guardian.observe({ type: "tick" });
    }
    expect(events).toEqual([]);
  });

  test("trap 20: failures spread over sibling tools", () => {
    const tools = ["read_file", "list_directory", "search_files", "get_file_info"];
    const failures = (count: number) =>
      times(count, (i) =>
        fails(
          tools[i % 4] as string,
          { path: `/mnt/share/${["docs", "img", "src"][i % 3]}` },
          "EHOSTUNREACH: share is not mounted",
        ),
      );
    const twice = play(failures(24)); // twelve calls, each made twice
    expect(twice.summary[0]).toMatch(/ (hint|warn)$/);
    expect([twice.refused, twice.stop]).toEqual([0, undefined]);
    expect(play(failures(48)).stop).toBeDefined();
  });

  test("trap 21: a pending message does not reach the next run, in another process", () => {
    const before = createGuardian({
      now: () => START,
      run: "run_1",
      policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 10 } } },
    });
    for (let i = 0; i < 3; i++) {
      before.beforeCall({ id: `c${i}`, tool: "list_dir", args: { path: "." } });
      before.afterCall(`c${i}`, { status: "ok", content: listing });
      if (i < 2) before.endTurn();
    }
    before.observe({ type: "usage", used: { "run-tokens": 20 }, isPriced: true });
    const after = createGuardian({
      now: () => START,
      run: "run_2",
      state: JSON.parse(JSON.stringify(before.snapshot())),
    });
    expect(after.endTurn()).toEqual([]);
  });

  test.each<[string, (guardian: Guardian) => unknown]>([
    [
      "a warning of a limit",
      (guardian) => guardian.observe({ type: "usage", used: { "run-tokens": 20 }, isPriced: true }),
    ],
    ["a word about compaction", (guardian) => [1, 2].map(() => guardian.observe({ type: "compacted" }))],
    ["a chant", (guardian) => guardian.delta("text", "I am sorry. ".repeat(200))],
    [
      "a loop of calls",
      (guardian) => {
        for (let i = 0; i < 3; i++) {
          guardian.beforeCall({ id: `c${i}`, tool: "list_dir", args: { path: "." } });
          guardian.afterCall(`c${i}`, { status: "ok", content: listing });
          if (i < 2) guardian.endTurn();
        }
      },
    ],
  ])("trap 21: nor in the same process: %s", (_, happen) => {
    const guardian = createGuardian({
      now: () => START,
      run: "run_1",
      policy: { ...defaultPolicy, limits: { "run-tokens": { warn: 10 } } },
    });
    happen(guardian);
    guardian.observe({ type: "run-start", attended: false, tools: [], run: "run_2" });
    expect(guardian.endTurn()).toEqual([]);
  });

  test("trap 21: each message is returned once, also when the turn ends twice", () => {
    const guardian = createGuardian({ now: () => START });
    const heard = Array.from({ length: 3 }, (_, i) => make(guardian, `c${i}`, "list_dir", { path: "." }, listing));
    expect(heard[2]).toHaveLength(1);
    expect(guardian.endTurn()).toEqual([]);
  });

  test("trap 22: calls of a reply that was cut off and streamed again were never made", () => {
    const guardian = createGuardian({ now: () => START });
    for (let i = 0; i < 10; i++) {
      guardian.observe({ type: "stream-start" });
      guardian.beforeCall({ id: `half${i}`, tool: "write", args: '{"path":"a.ts","content":"expo' });
    }
    guardian.observe({ type: "stream-start" });
    expect(make(guardian, "whole", "write", { path: "a.ts", content: "export {}" }, "Wrote a.ts")).toEqual([]);
    expect(guardian.snapshot().callCount).toBe(1);
    expect(guardian.stop).toBeUndefined();
  });

  // The runtime's alone:
  // 10, in part: replacing the cancelled signal of a run is done where runs are started.
  // 11, in part: how many events a slow reader may be behind is the event bus's matter; the guardian calls `emit` and
  // waits for nobody.
  // 12, in part: pruning that orphans no result is done where the history is kept.
  // 13, in part: what a request costs is computed from prices by the ledger; the guardian gets totals.
  // 22, in part: that truncated JSON is not executed is decided where calls are parsed.
});

import {
  createGuardian,
  defaultPolicy,
  type Guardian,
  type GuardianState,
  type Intervention,
  initialState,
  type LimitName,
  limitNames,
  type Mode,
  type Policy,
  type Signal,
  step,
  type UsageTotals,
} from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const START = 1_700_000_000_000;
const DOLLAR = 1_000_000_000;

type Told = Exclude<LimitName, "turns" | "time">;
type Limits = Policy["limits"];

function limited(limits: Limits, more: Partial<Policy> = {}): Policy {
  return { ...defaultPolicy, ...more, limits };
}

/** A guardian with a clock that stands still unless a signal says otherwise. */
function guard(limits: Limits, more: Partial<Policy> = {}): Guardian {
  return createGuardian({ now: () => START, policy: limited(limits, more), run: "run_1" });
}

/** The same after the process ended; another name is another run. */
function resumed(guardian: Guardian, limits: Limits, run = "run_1", more: Partial<Policy> = {}): Guardian {
  return createGuardian({
    now: () => START,
    policy: limited(limits, more),
    run,
    state: JSON.parse(JSON.stringify(guardian.snapshot())),
  });
}

function use(
  guardian: Guardian,
  used: UsageTotals,
  more: { day?: string; month?: string; child?: string; isPriced?: boolean } = {},
): readonly Intervention[] {
  return guardian.observe({ type: "usage", used, isPriced: true, ...more });
}

function said(interventions: readonly Intervention[]): string[] {
  return interventions.map(({ detector, level, effect }) => `${detector} ${level} ${effect}`);
}

const told: readonly Told[] = ["context", "run-tokens", "run-cost", "session-cost", "day-cost", "month-cost"];
const reasons = {
  context: "context_budget",
  "run-tokens": "token_budget",
  "run-cost": "run_budget",
  "session-cost": "session_budget",
  "day-cost": "day_budget",
  "month-cost": "month_budget",
  turns: "max_turns",
  time: "timeout",
} as const satisfies Record<LimitName, string>;

describe("each limit", () => {
  test.each(told)("%s warns once, stops once, and gives its own reason", (name) => {
    const guardian = guard({ [name]: { warn: 80, stop: 95 } });
    const heard = [10, 79, 80, 81, 94, 95, 96, 200].map((total) => said(use(guardian, { [name]: total })));
    expect(heard).toEqual([[], [], [`${name} warn tell`], [], [], [`${name} halt stop`], [], []]);
    expect(guardian.stop?.reason).toBe(reasons[name]);
  });

  test("a limit that is changed where it stands holds as it is now, also for others with the same policy", () => {
    const limits: Record<string, { stop: number }> = { "run-tokens": { stop: 100 } };
    const policy = limited(limits);
    const [first, second] = [
      createGuardian({ now: () => START, policy }),
      createGuardian({ now: () => START, policy }),
    ];
    use(first, { "run-tokens": 3 });
    limits["run-tokens"] = { stop: 2 };
    for (const guardian of [first, second])
      expect(said(use(guardian, { "run-tokens": 4 }))).toEqual(["run-tokens halt stop"]);
  });

  test("turns are counted here", () => {
    const guardian = guard({ turns: { warn: 3, stop: 5 } });
    const heard = Array.from({ length: 5 }, () => said(guardian.endTurn()));
    expect(heard).toEqual([[], [], ["turns warn tell"], [], []]);
    expect(guardian.stop).toMatchObject({ reason: "max_turns", message: expect.stringContaining("5 turns") });
  });

  test.each([
    ["before the history is compacted", { tokens: 82, max: 100, compactsAt: 85 }, /Context compaction will begin soon/],
    ["after compaction did not help", { tokens: 86, max: 100, compactsAt: 85 }, /Finish with what you have/],
    ["without compaction", { tokens: 82, max: 100 }, /Finish with what you have/],
  ])("the advice about the context fits what happens next: %s", (_, context, advice) => {
    const guardian = guard({ context: { warn: 80, stop: 95 } });
    const [warning] = guardian.observe({ type: "usage", used: {}, isPriced: true, context });
    expect(warning?.message).toMatch(advice);
  });

  test("a request that does not fit ends the run before anything is spent, until the limit is raised", () => {
    const guardian = guard({ "run-cost": { stop: 1e6 } });
    const [halt] = guardian.observe({
      type: "usage",
      used: { "run-cost": 0 },
      needed: { "run-cost": 1e7 },
      isPriced: true,
    });
    expect(halt).toMatchObject({ effect: "stop", needed: 1e7 });
    expect(guardian.stop).toMatchObject({
      reason: "run_budget",
      message:
        "This run has used $0.00 of $0.0010. The next request is estimated at $0.01, so it was not sent. " +
        "The run is ended here.",
    });
    guardian.observe({ type: "limit", limit: "run-cost", stop: 2e7 });
    expect(guardian.stop).toBeUndefined();
  });

  test("money that other requests hold ends a run, and no longer after it was released or the limit was raised", () => {
    const full = { type: "usage", used: { "day-cost": 2e9 }, reserved: { "day-cost": 5e8 }, isPriced: true } as const;
    const guardian = guard({ "day-cost": { stop: 3e9 } });
    guardian.observe(full);
    expect(guardian.stop?.message).toContain("have used $2.00 of $3.00. Other requests have reserved $0.50 more.");
    guardian.observe({ type: "limit", limit: "day-cost", stop: 4e9 });
    expect(guardian.stop).toBeUndefined();
    guardian.observe(full);
    expect(guardian.stop?.reason).toBe("day_budget");
    guardian.userMessage("person");
    expect(said(guardian.observe({ ...full, reserved: {} }))).toEqual([]);
    expect(guardian.stop).toBeUndefined();
  });

  test("time is counted here, in gaps of at most 30 seconds", () => {
    const guardian = guard({ time: { warn: 60_000, stop: 90_000 } });
    const heard = [20, 40, 60, 80, 90].map((seconds) =>
      said(guardian.observe({ type: "tick", at: START + seconds * 1_000 })),
    );
    expect(heard).toEqual([[], [], ["time warn tell"], [], ["time halt stop"]]);
    expect(guardian.stop?.reason).toBe("timeout");
  });

  test.each([...limitNames])("%s: zero is off, and so is nothing", (name) => {
    for (const limit of [{ warn: 0, stop: 0 }, {}]) {
      const guardian = guard({ [name]: limit });
      const heard = [
        ...told.flatMap((each) => use(guardian, { [each]: 1e15 })),
        ...guardian.endTurn(),
        ...guardian.observe({ type: "tick", at: START + 30_000 }),
      ];
      expect(heard).toEqual([]);
      expect(guardian.stop).toBeUndefined();
      expect(guardian.nearBudget()).toBe(false);
    }
  });

  test.each([...limitNames])("%s: a warning alone never stops, a stop alone never warns", (name) => {
    const spend = (guardian: Guardian) => [
      ...(name === "turns" || name === "time" ? [] : use(guardian, { [name]: 1e12 })),
      ...guardian.endTurn(),
      ...guardian.observe({ type: "tick", at: START + 30_000 }),
    ];
    const warned = guard({ [name]: { warn: 1 } });
    // What is to be told comes with the signal that led to it and again with the end of the turn.
    expect([...new Set(spend(warned).map(({ detector, level }) => `${detector} ${level}`))]).toEqual([`${name} warn`]);
    expect(warned.stop).toBeUndefined();
    const stopped = guard({ [name]: { stop: 1 } });
    spend(stopped);
    expect(stopped.stop?.reason).toBe(reasons[name]);
  });

  test("the context is a share of the window, and its message holds both numbers", () => {
    const guardian = guard({ context: { warn: 80, stop: 95 } });
    const at = (tokens: number) =>
      guardian.observe({ type: "usage", used: {}, isPriced: true, context: { tokens, max: 32_000 } });
    expect(at(25_599)).toEqual([]);
    const [warning] = at(26_240);
    expect(warning?.message).toContain("82 %");
    expect(warning?.message).toContain("26,240");
    expect(warning?.message).toContain("32,000");
    const [end] = at(30_400);
    expect(end?.message).toContain("95 %");
    expect(end?.message).toContain("30,400");
    expect(guardian.stop?.reason).toBe("context_budget");
  });

  test("messages of money and tokens hold what was used and what may be used", () => {
    const guardian = guard({
      "run-cost": { warn: 0.8 * DOLLAR, stop: DOLLAR },
      "run-tokens": { warn: 80_000, stop: 100_000 },
    });
    const [tokens, cost] = use(guardian, { "run-cost": 0.85 * DOLLAR, "run-tokens": 81_000 });
    expect(tokens?.message).toMatch(/81,000 of 100,000 tokens/);
    expect(cost?.message).toMatch(/\$0\.85 of \$1\.00/);
  });

  test("the message of a limit that only warns names the limit", () => {
    const [warning] = use(guard({ "month-cost": { warn: 5 * DOLLAR } }), { "month-cost": 6 * DOLLAR });
    expect(warning?.message).toMatch(/\$6\.00.*warning was set at \$5\.00/);
  });

  test("several limits crossed in one step each warn", () => {
    const guardian = guard({
      "run-tokens": { warn: 100 },
      "run-cost": { warn: 100, stop: 200 },
      "session-cost": { stop: 200 },
      "month-cost": { warn: 100 },
    });
    expect(said(use(guardian, { "run-tokens": 150, "run-cost": 150, "session-cost": 250, "month-cost": 150 }))).toEqual(
      ["run-tokens warn tell", "run-cost warn tell", "session-cost halt stop", "month-cost warn tell"],
    );
    expect(guardian.stop?.reason).toBe("session_budget");
  });

  test.each(told)("%s: a jump over both values says only the stop", (name) => {
    const guardian = guard({ [name]: { warn: 80, stop: 95 } });
    expect(said(use(guardian, { [name]: 120 }))).toEqual([`${name} halt stop`]);
    expect(said(use(guardian, { [name]: 85 }))).toEqual([]);
    expect(said(use(guardian, { [name]: 130 }))).toEqual([]);
  });

  test("warnings reach the model once, with the end of the turn; the stop reaches the loop", () => {
    const guardian = guard({ "run-tokens": { warn: 80, stop: 100 } });
    use(guardian, { "run-tokens": 90 });
    expect(guardian.endTurn().map(({ detector }) => detector)).toEqual(["run-tokens"]);
    expect(guardian.endTurn()).toEqual([]);
    use(guardian, { "run-tokens": 100 });
    expect(guardian.endTurn()).toEqual([]);
    expect(guardian.beforeCalls([{ id: "a", tool: "read", args: {} }])).toEqual([
      { allow: false, message: expect.stringContaining("token_budget") },
    ]);
  });

  test.each<[string, Partial<Policy>]>([
    ["guide", {}],
    ["advise", { mode: "advise" }],
    ["observe", { mode: "observe" }],
    ["off", { detectors: {} }],
    ["off, observing", { detectors: {}, mode: "observe" }],
    ["ryvos", { ...presets.ryvos }],
    ["aar", { ...presets.aar }],
    ["llm-rb", { ...presets["llm-rb"] }],
    ["tool-guardrails", { ...presets["tool-guardrails"] }],
    ["strict", { ...presets.strict }],
  ])("limits hold in %s", (_, more) => {
    const guardian = guard({ "run-cost": { warn: 80, stop: 100 } }, more);
    expect(use(guardian, { "run-cost": 80 }).map(({ level, isApplied }) => [level, isApplied])).toEqual([
      ["warn", true],
    ]);
    expect(use(guardian, { "run-cost": 100 }).map(({ level, isApplied }) => [level, isApplied])).toEqual([
      ["halt", true],
    ]);
    expect(guardian.stop?.reason).toBe("run_budget");
    expect(guardian.beforeCall({ id: "a", tool: "read", args: {} }).allow).toBe(false);
  });

  test("limits cannot be muted, and attendance does not stretch them", () => {
    const guardian = createGuardian({
      now: () => START,
      attended: true,
      policy: limited({ "run-cost": { warn: 80, stop: 100 } }),
    });
    guardian.observe({ type: "mute", detector: "doom-loop" });
    expect(() => guardian.observe({ type: "mute", detector: "run-cost" as never })).toThrow(TypeError);
    expect(said([...use(guardian, { "run-cost": 80 }), ...use(guardian, { "run-cost": 100 })])).toEqual([
      "run-cost warn tell",
      "run-cost halt stop",
    ]);
  });

  test("each intervention has an id of its own", () => {
    const guardian = guard({
      "run-tokens": { warn: 1, stop: 3 },
      "run-cost": { warn: 1, stop: 3 },
      turns: { warn: 1, stop: 2 },
    });
    const heard = [
      ...use(guardian, { "run-tokens": 1, "run-cost": 1 }),
      ...use(guardian, { "run-tokens": 3, "run-cost": 3 }),
    ];
    expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
  });
});

describe("a limit changed by a user", () => {
  test("raised, it lifts the stop and holds at the new value", () => {
    const guardian = guard({ "run-cost": { warn: 80, stop: 100 } });
    use(guardian, { "run-cost": 100 });
    guardian.observe({ type: "limit", limit: "run-cost", warn: 180, stop: 200 });
    expect(guardian.stop).toBeUndefined();
    expect([150, 180, 199, 200].map((total) => said(use(guardian, { "run-cost": total })))).toEqual([
      [],
      ["run-cost warn tell"],
      [],
      ["run-cost halt stop"],
    ]);
    expect(guardian.stop?.reason).toBe("run_budget");
  });

  test("lowered below what was used, it stops at once", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    use(guardian, { "run-tokens": 600 });
    expect(said(guardian.observe({ type: "limit", limit: "run-tokens", stop: 500 }))).toEqual(["run-tokens halt stop"]);
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("raised too little, it stays stopped", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    use(guardian, { "run-tokens": 1_500 });
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 1_200 });
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("set to zero, it is gone", () => {
    const guardian = guard({ turns: { stop: 2 } });
    guardian.endTurn();
    guardian.endTurn();
    expect(guardian.stop?.reason).toBe("max_turns");
    guardian.observe({ type: "limit", limit: "turns", stop: 0 });
    expect(guardian.stop).toBeUndefined();
    for (let i = 0; i < 50; i++) guardian.endTurn();
    expect(guardian.stop).toBeUndefined();
  });

  test("raised and lowered again to the old value, it stops again", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    use(guardian, { "run-tokens": 1_000 });
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 2_000 });
    use(guardian, { "run-tokens": 1_500 });
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 1_000 });
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("raising one of two limits that were reached does not lift the other", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 }, "run-cost": { stop: 1_000 } });
    use(guardian, { "run-tokens": 1_000, "run-cost": 1_000 });
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 9_000 });
    expect(guardian.stop?.reason).toBe("run_budget");
  });

  test("raising a limit does not lift a stop that is about a loop", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    for (let i = 0; i < 12 && guardian.stop === undefined; i++) {
      if (guardian.beforeCall({ id: `c${i}`, tool: "list", args: {} }).allow)
        guardian.afterCall(`c${i}`, { status: "ok", content: "a b c d" });
      guardian.endTurn();
    }
    expect(guardian.stop?.reason).toBe("doom_loop");
    use(guardian, { "run-tokens": 1_000 });
    guardian.observe({ type: "limit", limit: "run-tokens", stop: 9_000 });
    expect(guardian.stop?.reason).toBe("doom_loop");
  });

  test("it survives a restart", () => {
    const limits: Limits = { "run-tokens": { stop: 1_000 } };
    const before = guard(limits);
    before.observe({ type: "limit", limit: "run-tokens", stop: 2_000 });
    const after = resumed(before, limits);
    use(after, { "run-tokens": 1_500 });
    expect(after.stop).toBeUndefined();
    use(after, { "run-tokens": 2_000 });
    expect(after.stop?.reason).toBe("token_budget");
  });

  test("a wrong limit signal throws and changes nothing", () => {
    const guardian = guard({ "run-tokens": { stop: 1_000 } });
    for (const limit of [
      { limit: "run-tokens", stop: Number.NaN },
      { limit: "run-tokens", stop: -1 },
      { limit: "beer", stop: 1 },
      { limit: "turns", stop: "1" },
    ])
      expect(() => guardian.observe({ type: "limit", ...limit } as never)).toThrow(TypeError);
    use(guardian, { "run-tokens": 999 });
    expect(guardian.stop).toBeUndefined();
    use(guardian, { "run-tokens": 1_000 });
    expect(guardian.stop?.reason).toBe("token_budget");
  });
});

describe("a reached limit holds whatever else happens", () => {
  test("a person's word does not end a limit of a run that has a name", () => {
    for (const [limits, spend] of [
      [{ turns: { stop: 2 } }, (guardian: Guardian) => void [guardian.endTurn(), guardian.endTurn()]],
      [{ time: { stop: 20_000 } }, (guardian: Guardian) => void guardian.observe({ type: "tick", at: START + 25_000 })],
      [{ "run-cost": { stop: 100 } }, (guardian: Guardian) => void use(guardian, { "run-cost": 100 })],
      [{ context: { stop: 95 } }, (guardian: Guardian) => void use(guardian, { context: 96 })],
    ] as const) {
      const guardian = guard(limits);
      spend(guardian);
      expect(guardian.stop).toBeDefined();
      guardian.userMessage("person");
      expect(guardian.stop, Object.keys(limits).join()).toBeDefined();
    }
  });

  test("a limit reached while a loop had stopped the run still applies after a message of a person", () => {
    const guardian = guard({ "run-cost": { stop: 100 } });
    for (let i = 0; i < 12 && guardian.stop === undefined; i++) {
      if (guardian.beforeCall({ id: `c${i}`, tool: "list", args: {} }).allow)
        guardian.afterCall(`c${i}`, { status: "ok", content: "a b c d" });
      guardian.endTurn();
    }
    use(guardian, { "run-cost": 150 });
    guardian.userMessage("person");
    expect(guardian.stop?.reason).toBe("run_budget");
  });

  test("a run that resumes in another process is ended again at once", () => {
    for (const name of ["context", "run-tokens", "run-cost", "session-cost"] as const) {
      const limits: Limits = { [name]: { warn: 80, stop: 95 } };
      const before = guard(limits);
      use(before, { [name]: 96 });
      expect(resumed(before, limits).stop?.reason, name).toBe(reasons[name]);
    }
  });

  test.each(["day-cost", "month-cost"] as const)(
    "%s: also before the ledger has sent a total again, since it is the same run",
    (name) => {
      const limits: Limits = { [name]: { stop: 95 } };
      const before = guard(limits);
      use(before, { [name]: 96 }, { day: "2026-03-01", month: "2026-03" });
      expect(resumed(before, limits).stop?.reason).toBe(reasons[name]);
    },
  );

  test("another run has its own tokens, money, turns, time and context; a session's money stays spent", () => {
    const all: Limits = {
      context: { stop: 95 },
      "run-tokens": { stop: 100 },
      "run-cost": { stop: 100 },
      turns: { stop: 1 },
      time: { stop: 10_000 },
    };
    const before = guard(all);
    use(before, { context: 99, "run-tokens": 100, "run-cost": 100 });
    before.endTurn();
    before.observe({ type: "tick", at: START + 20_000 });
    expect(resumed(before, all, "run_2").stop).toBeUndefined();
    const session: Limits = { "session-cost": { stop: 100 } };
    const spent = guard(session);
    use(spent, { "session-cost": 100 });
    expect(resumed(spent, session, "run_2").stop?.reason).toBe("session_budget");
  });

  test.each(["day-cost", "month-cost"] as const)(
    "%s: a run that starts with it spent ends at once, when the ledger says so",
    (name) => {
      const limits: Limits = { [name]: { stop: 95 } };
      const guardian = guard(limits);
      use(guardian, { [name]: 96 }, { day: "2026-03-01", month: "2026-03" });
      expect(guardian.stop?.reason).toBe(reasons[name]);
      expect(guardian.beforeCall({ id: "a", tool: "read", args: {} }).allow).toBe(false);
    },
  );
});

describe("an unknown price", () => {
  const money = ["run-cost", "session-cost", "day-cost", "month-cost"] as const;

  test.each(money)("%s: refused under a limit", (name) => {
    const guardian = guard({ [name]: { warn: 80, stop: 100 } });
    const heard = use(guardian, { "run-tokens": 5 }, { isPriced: false });
    expect(said(heard)).toEqual([`${name} halt stop`]);
    expect(heard[0]).toMatchObject({ isUnpriced: true, message: expect.stringMatching(/price .*not known/) });
    expect(guardian.stop?.reason).toBe(reasons[name]);
  });

  test.each(money)("%s: reported once where tokens are counted instead, and priced usage still counts", (name) => {
    const guardian = guard({ [name]: { stop: 100 }, "run-tokens": { stop: 1_000 } }, { unpriced: "count-tokens" });
    expect(said(use(guardian, { "run-tokens": 5 }, { isPriced: false }))).toEqual([`${name} warn tell`]);
    expect(use(guardian, { "run-tokens": 10 }, { isPriced: false })).toEqual([]);
    expect(said(use(guardian, { [name]: 100, "run-tokens": 20 }, { isPriced: false }))).toEqual([`${name} halt stop`]);
    const patient = guard({ [name]: { stop: 100 }, "run-tokens": { stop: 1_000 } }, { unpriced: "count-tokens" });
    use(patient, { "run-tokens": 1_000 }, { isPriced: false });
    expect(patient.stop?.reason).toBe("token_budget");
  });

  test("no limit of money, no word", () => {
    for (const unpriced of ["refuse-under-limit", "count-tokens"] as const) {
      const guardian = guard({ "run-tokens": { stop: 1_000 }, "run-cost": { stop: 0 } }, { unpriced });
      expect(use(guardian, { "run-tokens": 5 }, { isPriced: false })).toEqual([]);
      expect(guardian.stop).toBeUndefined();
    }
  });

  test("of a subagent counts as well", () => {
    const guardian = guard({ "run-cost": { stop: 100 } });
    guardian.observe({ type: "child-start", id: "c", depth: 1 });
    use(guardian, { "run-tokens": 5 }, { isPriced: false, child: "c" });
    expect(guardian.stop?.reason).toBe("run_budget");
  });

  test("is forgotten with the run: the next one, with a priced model, continues", () => {
    const limits: Limits = { "run-cost": { stop: 100 } };
    const before = guard(limits);
    use(before, { "run-tokens": 5 }, { isPriced: false });
    const after = resumed(before, limits, "run_2");
    expect(after.stop).toBeUndefined();
    use(after, { "run-cost": 5 });
    expect(after.stop).toBeUndefined();
  });

  test("ends with the limit that cannot be held", () => {
    const guardian = guard({ "run-cost": { stop: 100 } });
    use(guardian, { "run-tokens": 5 }, { isPriced: false });
    guardian.observe({ type: "limit", limit: "run-cost", stop: 0 });
    expect(guardian.stop).toBeUndefined();
  });
});

describe("subagents count to the tree", () => {
  const start = (guardian: Guardian, id: string) => guardian.observe({ type: "child-start", id, depth: 1 });
  const end = (guardian: Guardian, id: string) => guardian.observe({ type: "child-end", id, depth: 1, findings: [] });
  const tokens = (guardian: Guardian, used: number, child?: string) =>
    use(guardian, { "run-tokens": used }, child === undefined ? {} : { child });
  const limits: Limits = { "run-tokens": { stop: 1_000 }, "run-cost": { stop: 1_000 } };

  test("while they work and after they have ended", () => {
    const guardian = guard(limits);
    tokens(guardian, 100);
    start(guardian, "a");
    tokens(guardian, 400, "a");
    end(guardian, "a");
    start(guardian, "b");
    tokens(guardian, 499, "b");
    expect(guardian.stop).toBeUndefined();
    end(guardian, "b");
    tokens(guardian, 101);
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("money as well as tokens", () => {
    const guardian = guard(limits);
    start(guardian, "a");
    use(guardian, { "run-cost": 600 }, { child: "a" });
    use(guardian, { "run-cost": 400 });
    expect(guardian.stop?.reason).toBe("run_budget");
  });

  test("totals of one subagent are not added up", () => {
    const guardian = guard(limits);
    start(guardian, "a");
    for (let i = 1; i <= 20; i++) tokens(guardian, i * 45, "a");
    expect(guardian.stop).toBeUndefined();
  });

  test("also when its last usage comes after the subagent has ended", () => {
    const guardian = guard(limits);
    start(guardian, "a");
    tokens(guardian, 400, "a");
    end(guardian, "a");
    tokens(guardian, 900, "a");
    tokens(guardian, 100);
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("also when a subagent was never announced", () => {
    const guardian = guard(limits);
    tokens(guardian, 1_000, "stranger");
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("also when twenty of them work at the same time", () => {
    const guardian = guard(limits);
    for (let i = 0; i < 20; i++) start(guardian, `c${i}`);
    for (let i = 0; i < 20; i++) tokens(guardian, 60, `c${i}`);
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("also over a restart in the middle of their work", () => {
    const before = guard(limits);
    start(before, "a");
    tokens(before, 900, "a");
    const after = resumed(before, limits);
    tokens(after, 100);
    expect(after.stop?.reason).toBe("token_budget");
  });

  test("and not to the next run", () => {
    const before = guard(limits);
    start(before, "a");
    tokens(before, 900, "a");
    end(before, "a");
    const after = resumed(before, limits, "run_2");
    tokens(after, 100);
    expect(after.stop).toBeUndefined();
  });
});

describe("little is left", () => {
  function isNear(guardian: Guardian, used: UsageTotals): boolean {
    use(guardian, used);
    return guardian.nearBudget();
  }

  test("of tokens: 512", () => {
    const guardian = guard({ "run-tokens": { stop: 10_000 } });
    expect([0, 9_487, 9_488, 9_999, 10_000].map((total) => isNear(guardian, { "run-tokens": total }))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test.each(["run-cost", "session-cost", "day-cost", "month-cost"] as const)("of %s: a tenth", (name) => {
    const guardian = guard({ [name]: { stop: 1_000 } });
    expect([0, 899, 900, 1_000].map((total) => isNear(guardian, { [name]: total }))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test("of what the caller calls little", () => {
    const guardian = guard({ "run-tokens": { stop: 10_000 }, "run-cost": { stop: 1_000 } });
    use(guardian, { "run-tokens": 8_000, "run-cost": 500 });
    expect(guardian.nearBudget()).toBe(false);
    expect(guardian.nearBudget({ reserveTokens: 2_000 })).toBe(true);
    expect(guardian.nearBudget({ reserveCostFraction: 0.5 })).toBe(true);
  });

  test("what subagents used counts, and asking changes nothing", () => {
    const guardian = guard({ "run-tokens": { stop: 10_000 } });
    guardian.observe({ type: "child-start", id: "a", depth: 1 });
    use(guardian, { "run-tokens": 9_600 }, { child: "a" });
    const before = JSON.stringify(guardian.snapshot());
    expect(guardian.nearBudget()).toBe(true);
    expect(JSON.stringify(guardian.snapshot())).toBe(before);
  });
});

const modes = fc.constantFrom<Partial<Policy>>(
  {},
  { mode: "advise" as Mode },
  { mode: "observe" as Mode },
  { detectors: {} },
  { detectors: {}, mode: "observe" as Mode },
  { ...presets.strict },
);

describe("properties", () => {
  interface Request {
    readonly tokens: number;
    readonly cost: number;
    readonly ms: number;
    readonly next: "nothing" | "restart" | "person" | "child";
  }
  const request: fc.Arbitrary<Request> = fc.record({
    tokens: fc.integer({ min: 0, max: 5_000 }),
    cost: fc.integer({ min: 0, max: 2_000_000 }),
    ms: fc.integer({ min: 0, max: 29_000 }),
    next: fc.constantFrom("nothing", "nothing", "nothing", "restart", "person", "child"),
  });
  const limitsOf = fc.record(
    {
      "run-tokens": fc.record({ stop: fc.integer({ min: 1, max: 50_000 }) }),
      "run-cost": fc.record({
        warn: fc.integer({ min: 1, max: 20_000_000 }),
        stop: fc.integer({ min: 1, max: 20_000_000 }),
      }),
      "session-cost": fc.record({ stop: fc.integer({ min: 1, max: 30_000_000 }) }),
      "day-cost": fc.record({ stop: fc.integer({ min: 1, max: 30_000_000 }) }),
      "month-cost": fc.record({
        warn: fc.integer({ min: 1, max: 30_000_000 }),
        stop: fc.integer({ min: 1, max: 30_000_000 }),
      }),
      turns: fc.record({ stop: fc.integer({ min: 1, max: 40 }) }),
      time: fc.record({ stop: fc.integer({ min: 1, max: 600_000 }) }),
    },
    { requiredKeys: [] },
  );

  test.each([
    ["never spends more than a limit plus one request", false],
    ["does not either where a person speaks in between", true],
  ])("(a) a caller who asks before each request %s", (_, isSpokenTo) => {
    fc.assert(
      fc.property(limitsOf, modes, fc.array(request, { maxLength: 60 }), (limits, more, requests) => {
        const policy = limited(limits as Limits, more);
        const clock = { now: START };
        const spent = {
          "run-tokens": 0,
          "run-cost": 0,
          "session-cost": 0,
          "day-cost": 0,
          "month-cost": 0,
          turns: 0,
          time: 0,
        };
        const own = { tokens: 0, cost: 0 };
        const ledgerTotals = () => ({
          "session-cost": spent["run-cost"],
          "day-cost": spent["run-cost"],
          "month-cost": spent["run-cost"],
        });
        const window = { day: "2026-03-01", month: "2026-03" };
        const start = (state?: unknown) => {
          const guardian = createGuardian({
            now: () => clock.now,
            policy,
            run: "run_1",
            ...(state === undefined ? {} : { state }),
          });
          // The ledger sends the totals of the day and the month again in each process.
          guardian.observe({ type: "usage", used: ledgerTotals(), isPriced: true, ...window });
          return guardian;
        };
        let guardian = start();
        const report = () => {
          guardian.observe({
            type: "usage",
            used: { "run-tokens": own.tokens, "run-cost": own.cost, ...ledgerTotals() },
            isPriced: true,
            ...window,
          });
        };
        requests.forEach(({ tokens, cost, ms, next }, i) => {
          if (guardian.stop === undefined) {
            for (const [name, limit] of Object.entries(limits))
              expect(spent[name as keyof typeof spent], `${name} was reached, and a request was made`).toBeLessThan(
                limit.stop,
              );
            clock.now += ms;
            spent.time += ms;
            spent["run-tokens"] += tokens;
            spent["run-cost"] += cost;
            if (next === "child") {
              guardian.observe({ type: "child-start", id: `child_${i}`, depth: 1 });
              guardian.observe({
                type: "usage",
                used: { "run-tokens": tokens, "run-cost": cost },
                isPriced: true,
                child: `child_${i}`,
              });
              guardian.observe({ type: "child-end", id: `child_${i}`, depth: 1, findings: [] });
            } else {
              own.tokens += tokens;
              own.cost += cost;
            }
            Object.assign(spent, ledgerTotals());
            report();
            guardian.endTurn();
            spent.turns++;
          }
          if (next === "restart") guardian = start(JSON.parse(JSON.stringify(guardian.snapshot())));
          if (next === "person" && isSpokenTo) guardian.userMessage("person");
        });
      }),
      { numRuns: 300 },
    );
  });

  /** What may happen besides usage, each at a place of its own. */
  const event: fc.Arbitrary<(guardian: Guardian) => readonly Intervention[]> = fc.oneof(
    fc.record({ name: fc.constantFrom(...told), total: fc.nat(300) }).map(
      ({ name, total }) =>
        (guardian: Guardian) =>
          use(guardian, { [name]: total }, { day: "d", month: "m" }),
    ),
    fc.record({ tokens: fc.nat(300), cost: fc.nat(300) }).map(
      ({ tokens, cost }) =>
        (guardian: Guardian) =>
          use(guardian, { "run-tokens": tokens, "run-cost": cost }),
    ),
    fc.nat(60_000).map((ms) => (guardian: Guardian) => guardian.observe({ type: "tick", at: START + ms })),
    fc.constant((guardian: Guardian) => guardian.observe({ type: "compacted" })),
    fc.constant((guardian: Guardian) => {
      guardian.endTurn();
      return [];
    }),
    fc.constant((guardian: Guardian) => {
      guardian.userMessage("automatic");
      return [];
    }),
    fc.constant((guardian: Guardian) => {
      guardian.message("Let me see what there is to say.");
      return [];
    }),
  );
  const everyLimit: Limits = Object.fromEntries(
    limitNames.map((name) => [name, name === "time" ? { warn: 60_000, stop: 120_000 } : { warn: 100, stop: 200 }]),
  );

  test("(b) no limit uses a level twice in a run, in any order of totals, also where totals fall", () => {
    fc.assert(
      fc.property(modes, fc.array(event, { maxLength: 150 }), (more, events) => {
        const heard: Intervention[] = [];
        const guardian = createGuardian({
          now: () => START,
          run: "run_1",
          policy: limited(everyLimit, { ...more, detectors: {} }),
          emit: (happened) => void (happened.type === "intervention" && heard.push(happened.intervention)),
        });
        for (const happen of events) happen(guardian);
        const spoken = said(heard);
        expect(spoken).toEqual([...new Set(spoken)]);
        expect(new Set(heard.map(({ id }) => id)).size).toBe(heard.length);
      }),
      { numRuns: 300 },
    );
  });

  test("(b) a restart in between repeats no warning, and ends the run again once per process", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ arbitrary: event, weight: 5 }, { arbitrary: fc.constant("restart" as const), weight: 1 }), {
          maxLength: 100,
        }),
        (events) => {
          const heard: { process: number; intervention: Intervention }[] = [];
          let process = 0;
          const policy = limited(everyLimit, { detectors: {} });
          const start = (state?: unknown) =>
            createGuardian({
              now: () => START,
              run: "run_1",
              policy,
              emit: (happened) =>
                void (happened.type === "intervention" && heard.push({ process, intervention: happened.intervention })),
              ...(state === undefined ? {} : { state }),
            });
          let guardian = start();
          for (const happen of events) {
            if (happen === "restart") {
              process++;
              guardian = start(JSON.parse(JSON.stringify(guardian.snapshot())));
            } else happen(guardian);
          }
          const warnings = heard
            .filter(({ intervention }) => intervention.level === "warn")
            .map(({ intervention }) => intervention.detector);
          expect(warnings).toEqual([...new Set(warnings)]);
          const ends = heard
            .filter(({ intervention }) => intervention.level === "halt")
            .map((each) => `${each.process} ${each.intervention.detector}`);
          expect(ends).toEqual([...new Set(ends)]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    ["day-cost", "day"],
    ["month-cost", "month"],
  ] as const)("(c) %s: another name is a new budget, the same name is not", (name, field) => {
    const totals = fc.array(fc.nat(300), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(totals, totals, (first, second) => {
        const guardian = guard({ [name]: { warn: 100, stop: 200 } });
        const spend = (each: readonly number[], window: string) =>
          each.flatMap((total) => said(use(guardian, { [name]: total }, { [field]: window })));
        // What a fresh guardian would say to one window: a warning unless the stop came first, and the stop.
        const expected = (each: readonly number[]) => {
          const warnAt = each.findIndex((total) => total >= 100);
          const stopAt = each.findIndex((total) => total >= 200);
          return [
            ...(warnAt >= 0 && warnAt !== stopAt ? [`${name} warn tell`] : []),
            ...(stopAt >= 0 ? [`${name} halt stop`] : []),
          ];
        };
        expect(spend(first, "one")).toEqual(expected(first));
        expect(spend(first, "one")).toEqual(first.some((total) => total >= 100) ? [] : expected(first));
        expect(spend(second, "two")).toEqual(expected(second));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["day-cost", "day"],
    ["month-cost", "month"],
  ] as const)("(c) %s: a new run in another window is not stopped, one in the same window is", (name, field) => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 900 }), fc.nat(199), fc.boolean(), (spent, fresh, isNamed) => {
        const limits: Limits = { [name]: { warn: 100, stop: 200 } };
        const before = guard(limits);
        use(before, { [name]: spent }, { [field]: "one" });
        expect(before.stop?.reason).toBe(reasons[name]);
        const next = resumed(before, limits, "run_2");
        use(next, { [name]: fresh }, { [field]: "two" });
        expect(next.stop).toBeUndefined();
        const same = resumed(before, limits, "run_2");
        use(same, { [name]: spent }, isNamed ? { [field]: "one" } : {});
        expect(same.stop?.reason).toBe(reasons[name]);
      }),
      { numRuns: 100 },
    );
  });

  const jump = fc.oneof(
    fc.constantFrom(
      0,
      -1,
      1,
      30_001,
      -30_001,
      86_400_000,
      -86_400_000,
      1e15,
      -1e15,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ),
    fc.integer({ min: -(10 ** 13), max: 10 ** 13 }),
  );

  test("(d) jumps of the clock change nothing about tokens and money", () => {
    const policy = limited({
      "run-tokens": { warn: 100, stop: 200 },
      "run-cost": { warn: 100, stop: 200 },
      "month-cost": { warn: 100, stop: 200 },
    });
    const usage = fc.record({
      name: fc.constantFrom("run-tokens" as const, "run-cost" as const, "month-cost" as const),
      total: fc.nat(300),
      at: jump,
    });
    const hear = (signals: readonly { name: Told; total: number; at: number }[]) => {
      let state: GuardianState = initialState("plain-1");
      return signals.map(({ name, total, at }) => {
        const taken = step(policy, state, { type: "usage", at, used: { [name]: total }, isPriced: true });
        state = taken.state;
        return taken.interventions;
      });
    };
    fc.assert(
      fc.property(fc.array(usage, { maxLength: 40 }), (signals) => {
        const steady = signals.map((signal, i) => ({ ...signal, at: START + i }));
        expect(hear(signals)).toEqual(hear(steady));
      }),
      { numRuns: 200 },
    );
  });

  test("(d) no jump of any size fires a stall or uses more than 30 seconds of the time", () => {
    const waiting = fc.constantFrom("first-byte" as const, "stream" as const, "tool" as const, "nothing" as const);
    fc.assert(
      fc.property(waiting, fc.nat(40), jump, fc.boolean(), (what, place, size, isBack) => {
        const SECOND = 1_000;
        // One second at a time for 60 seconds of work; one or two jumps use 60 seconds more at most.
        const guardian = guard({ time: { stop: 60 * SECOND + 60 * SECOND + 1 } });
        guardian.observe({ type: "waiting", for: what });
        const heard: Intervention[] = [];
        let at = START;
        for (let i = 0; i < 60; i++) {
          at += SECOND;
          if (i === place) at += size;
          if (i === place + 5 && isBack) at -= size;
          heard.push(...guardian.observe({ type: "tick", at: Math.max(-8e15, Math.min(8e15, at)) }));
        }
        expect(said(heard)).toEqual([]);
        expect(guardian.stop).toBeUndefined();
        const { elapsedMs, workMs, idleMs } = guardian.snapshot().clock;
        for (const ms of [elapsedMs, workMs, idleMs]) {
          expect(ms).toBeGreaterThanOrEqual(0);
          expect(ms).toBeLessThanOrEqual(120 * SECOND);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("(d) a clock that gives no number stands still", () => {
    let now: number = START;
    const guardian = createGuardian({
      now: () => now,
      policy: limited({ time: { stop: 1_000_000 }, "run-tokens": { stop: 100 } }),
    });
    for (const nonsense of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      undefined as never,
      START + 10,
    ]) {
      now = nonsense;
      guardian.endTurn();
      use(guardian, { "run-tokens": 5 });
    }
    expect(JSON.stringify(guardian.snapshot().clock)).not.toContain("null");
    use(guardian, { "run-tokens": 100 });
    expect(guardian.stop?.reason).toBe("token_budget");
  });

  test("(e) nonsense totals are ignored, and usage of the wrong shape throws; neither changes anything", () => {
    const isUsageShape = (signal: object) => {
      const { used, child = "", month = "" } = signal as { used?: unknown; child?: unknown; month?: unknown };
      return typeof used === "object" && used !== null && typeof child === "string" && typeof month === "string";
    };
    const nonsense = fc.oneof(
      fc.constantFrom<unknown>(
        -1,
        -0.001,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        Number.NEGATIVE_INFINITY,
        "999999",
        "",
        null,
        [],
        {},
        true,
        10n,
      ),
      fc.anything(),
    );
    const isAmount = (value: unknown) => typeof value === "number" && Number.isFinite(value) && value >= 0;
    const signal = fc.oneof(
      fc
        .record({
          name: fc.constantFrom(...told),
          value: nonsense.filter((value) => !isAmount(value) && value !== undefined),
        })
        .map(({ name, value }) => ({
          used: { [name]: value },
          isPriced: true,
        })),
      fc.record({ used: fc.constantFrom<unknown>(undefined, null, 7, "all", true), isPriced: fc.constant(true) }),
      fc.constantFrom<object>({}, { isPriced: true }),
      fc
        .record({ tokens: nonsense, max: nonsense })
        .filter(({ tokens, max }) => !(isAmount(tokens) && isAmount(max)))
        .map((context) => ({ used: {}, isPriced: true, context })),
      fc.constantFrom<object>(
        { used: {}, isPriced: true, context: { tokens: 5, max: 0 } },
        { used: {}, isPriced: true, context: { tokens: 5, max: -1 } },
        { used: { "run-tokens": 9_999 }, isPriced: true, child: 7 },
        { used: { "month-cost": 9_999 }, isPriced: true, month: 3 },
      ),
    );
    fc.assert(
      fc.property(fc.array(signal, { minLength: 1, maxLength: 10 }), (signals) => {
        const guardian = guard(everyLimit);
        const before = JSON.stringify(guardian.snapshot());
        for (const each of signals) {
          const observe = () => guardian.observe({ type: "usage", ...each } as never);
          if (isUsageShape(each)) expect(observe()).toEqual([]);
          else expect(observe).toThrow(TypeError);
        }
        expect(guardian.stop).toBeUndefined();
        expect(JSON.stringify(guardian.snapshot())).toBe(before);
        expect(said(use(guardian, { "run-tokens": 200 }))).toEqual(["run-tokens halt stop"]);
      }),
      { numRuns: 300 },
    );
  });

  test("a field that makes no sense leaves the others their say", () => {
    const odd: readonly object[] = [
      { used: { "run-tokens": 500, "run-cost": undefined }, isPriced: true },
      { used: { "run-tokens": 500, "session-cost": Number.NaN }, isPriced: true },
      { used: { "run-tokens": 500 }, isPriced: true, context: { tokens: 5, max: 0 } },
      { used: { "run-tokens": 500 }, isPriced: true, day: null },
      { used: { "run-tokens": 500 } },
    ];
    for (const each of odd) {
      const guardian = guard({ "run-tokens": { stop: 100 } });
      expect(said(guardian.observe({ type: "usage", ...each } as never))).toEqual(["run-tokens halt stop"]);
    }
  });

  test("(f) with 10,000 subagents and as many reports the state stays plain JSON, and small", () => {
    const policy = limited({ "run-tokens": { stop: 1e12 }, "month-cost": { stop: 1e15 } }, { mode: "observe" });
    let state = initialState("plain-1");
    let largest = 0;
    const name = (i: number) => `subagent “${i}” ${"long ".repeat(i % 60)}🐑`;
    for (let i = 0; i < 10_000; i++) {
      const at = START + i * 40;
      const signals: Signal[] = [
        { type: "child-start", at, id: name(i), depth: 1 + (i % 7) },
        { type: "usage", at, used: { "run-tokens": i, "run-cost": i * 3 }, isPriced: true, child: name(i) },
        {
          type: "usage",
          at,
          used: { "run-tokens": i * 2, "month-cost": i * 5 },
          isPriced: i % 5 > 0,
          month: name(i % 13),
          day: name(i % 31),
        },
        ...(i % 3 === 0
          ? []
          : [
              {
                type: "child-end" as const,
                at,
                id: name(i),
                depth: 1,
                findings: i % 2 === 0 ? (["doom-loop"] as const) : [],
              },
            ]),
        { type: "limit", at, limit: limitNames[i % limitNames.length] as LimitName, warn: 1e12 + i, stop: 1e15 + i },
        { type: "turn-end", at },
      ];
      for (const signal of signals) state = step(policy, state, signal).state;
      if (i % 250 === 0) {
        const json = JSON.stringify(state);
        largest = Math.max(largest, Buffer.byteLength(json));
        expect(JSON.parse(json)).toEqual(state);
      }
    }
    expect(largest).toBeLessThan(64_000);
  });

  test("(f) what 10,000 subagents used is all counted", () => {
    const policy = limited({ "run-tokens": { stop: 100_000 } }, { detectors: {} });
    let state = initialState("plain-1");
    let stoppedAt = -1;
    for (let i = 0; i < 10_000 && stoppedAt < 0; i++) {
      for (const signal of [
        { type: "child-start", at: START, id: `c${i}`, depth: 1 },
        { type: "usage", at: START, used: { "run-tokens": 10 }, isPriced: true, child: `c${i}` },
        ...(i % 2 === 0 ? [{ type: "child-end", at: START, id: `c${i}`, depth: 1, findings: [] } as const] : []),
      ] as const)
        state = step(policy, state, signal).state;
      if (state.stopped !== undefined) stoppedAt = i;
    }
    expect(stoppedAt).toBe(9_999);
  });
});

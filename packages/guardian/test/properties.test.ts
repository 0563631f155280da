import {
  createGuardian,
  defaultPolicy,
  detectorNames,
  type GuardianState,
  type Intervention,
  initialState,
  type Policy,
  perceiveCall,
  perceiveOutcome,
  plainDigest,
  restoreState,
  type Signal,
  step,
} from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const senses = { digest: plainDigest, redact: (line: string) => line };
const at = fc.oneof(fc.nat(4_000_000_000_000), fc.constantFrom(0, -5, Number.MAX_SAFE_INTEGER));
const tool = fc.constantFrom(
  "read",
  "bash",
  "send_email",
  "edit",
  "get_status",
  "think",
  "sleep",
  "__proto__",
  "constructor",
  "",
);
const id = fc.constantFrom("a", "b", "c", "d", "call_1", "x".repeat(5_000));
const args = fc.oneof(
  fc.constantFrom({ path: "a.ts" }, { command: "npm test" }, { to: "x@y.z", body: "hello there you" }, {}),
  fc.anything(),
);
const content = fc.oneof(
  fc.constantFrom("ok", "", "Error: no such file", "state: running", "a b c d e f g h i j k l"),
  fc.anything(),
);
const status = fc.constantFrom(
  "ok",
  "ok",
  "ok",
  "error",
  "denied",
  "timeout",
  "unknown-tool",
  "invalid-arguments",
  "interrupted",
) as fc.Arbitrary<"ok">;

const call: fc.Arbitrary<Signal> = fc
  .record({ at, id, tool, args })
  .map(({ at, id, tool, args }) => ({ type: "call", at, id, tool, ...perceiveCall({ tool, args }, senses) }));
const result: fc.Arbitrary<Signal> = fc.record({ at, id, status, content }).map(({ at, id, status, content }) => ({
  type: "result",
  at,
  id,
  outcome: perceiveOutcome({ status, content }, undefined, senses),
}));
const others: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({
    type: fc.constant("run-start" as const),
    at,
    attended: fc.boolean(),
    tools: fc.array(fc.record({ name: tool })),
  }),
  fc.record({
    type: fc.constant("user-message" as const),
    at,
    origin: fc.constantFrom("person" as const, "automatic" as const, "scheduled" as const),
  }),
  fc.record({ type: fc.constant("stream-start" as const), at }),
  fc.record({ type: fc.constant("delta" as const), at, channel: fc.constant("text" as const), text: fc.string() }),
  fc.record({
    type: fc.constant("reply" as const),
    at,
    stop: fc.constant("end" as const),
    calls: fc.nat(3),
    words: fc.constant(""),
  }),
  fc.record({
    type: fc.constant("verdict" as const),
    at,
    verdict: fc.constantFrom("accept" as const, "retry" as const, "escalate" as const, "continue" as const),
    hint: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({ type: fc.constant("turn-end" as const), at }),
  fc.record({
    type: fc.constant("usage" as const),
    at,
    used: fc.record({ "run-cost": fc.nat() }),
    isPriced: fc.boolean(),
  }),
  fc.record({ type: fc.constant("compacted" as const), at }),
  fc.record({ type: fc.constant("waiting" as const), at, for: fc.constantFrom("tool" as const, "stream" as const) }),
  fc.record({ type: fc.constant("mute" as const), at, detector: fc.constantFrom(...detectorNames) }),
  fc.record({ type: fc.constant("mute" as const), at, episode: fc.constantFrom("e1", "e2", "e3") }),
  fc.record({ type: fc.constant("child-start" as const), at, id, depth: fc.nat(9) }),
  fc.record({ type: fc.constant("tick" as const), at }),
);
const malformed = fc.oneof(
  fc.anything(),
  fc.record({
    type: fc.constantFrom("call", "result", "usage", "mute", "reply", "verdict", "toString"),
    at: fc.anything(),
    id: fc.anything(),
    print: fc.anything(),
    outcome: fc.anything(),
  }),
) as fc.Arbitrary<Signal>;
const turn: fc.Arbitrary<Signal[]> = fc
  .record({ at, id, tool, args, status, content })
  .map(({ at, id, tool, args, status, content }) => {
    const perceived = perceiveCall({ tool, args }, senses);
    return [
      { type: "call", at, id, tool, ...perceived },
      { type: "result", at, id, outcome: perceiveOutcome({ status, content }, perceived.print, senses) },
      { type: "turn-end", at },
    ];
  });
const anySignals = fc
  .array(
    fc.oneof(
      { arbitrary: turn, weight: 6 },
      fc.oneof(call, result, others, malformed).map((signal) => [signal]),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.flat());
const policy = fc.constantFrom<Policy>(
  presets.default,
  presets.strict,
  presets.off,
  { ...defaultPolicy, mode: "observe" },
  { ...defaultPolicy, mode: "advise" },
);

function run(
  policy: Policy,
  signals: readonly Signal[],
  from: GuardianState = initialState("plain-1"),
): { state: GuardianState; interventions: readonly Intervention[]; states: readonly GuardianState[] } {
  let state = from;
  const interventions: Intervention[] = [];
  const states: GuardianState[] = [];
  for (const signal of signals) {
    const taken = step(policy, state, signal);
    state = taken.state;
    states.push(state);
    interventions.push(...taken.interventions);
  }
  return { state, interventions, states };
}

describe("properties", () => {
  test("no sequence of signals throws, in any order, malformed or duplicated", () => {
    fc.assert(
      fc.property(policy, anySignals, (policy, signals) => void run(policy, [...signals, ...signals])),
      { numRuns: 300 },
    );
  });

  test("the same signals give the same interventions", () => {
    fc.assert(
      fc.property(
        policy,
        anySignals,
        (policy, signals) => void expect(run(policy, signals)).toEqual(run(policy, signals)),
      ),
      { numRuns: 150 },
    );
  });

  test("a restart from saved JSON at any turn boundary changes nothing", () => {
    fc.assert(
      fc.property(policy, anySignals, fc.nat(), (policy, signals, cut) => {
        const boundaries = signals.flatMap((signal, i) => (signal?.type === "turn-end" ? [i + 1] : []));
        const boundary = boundaries[cut % Math.max(1, boundaries.length)] ?? 0;
        const before = run(policy, signals.slice(0, boundary));
        const { state, note } = restoreState(JSON.parse(JSON.stringify(before.state)), "plain-1");
        expect(note).toBeUndefined();
        expect(state).toEqual(before.state);
        expect(run(policy, signals.slice(boundary), state).interventions).toEqual(
          run(policy, signals.slice(boundary), before.state).interventions,
        );
      }),
      { numRuns: 200 },
    );
  });

  test("no intervention is made twice within a run, and there are never more than calls", () => {
    fc.assert(
      fc.property(policy, fc.array(turn, { maxLength: 200 }), (policy, turns) => {
        const { interventions } = run(policy, turns.flat());
        expect(new Set(interventions.map((each) => each.id)).size).toBe(interventions.length);
        expect(interventions.length).toBeLessThanOrEqual(turns.length);
      }),
      { numRuns: 150 },
    );
  });

  test("with people, schedules and restarts in between there are never more than two interventions a call", () => {
    const between: fc.Arbitrary<Signal[]> = fc.constantFrom(
      [{ type: "user-message", at: 1, origin: "person" }],
      [{ type: "user-message", at: 1, origin: "scheduled" }],
      [{ type: "run-start", at: 1, attended: false, tools: [] }],
      [{ type: "compacted", at: 1 }],
    );
    fc.assert(
      fc.property(
        policy,
        fc.array(fc.oneof({ arbitrary: turn, weight: 4 }, between), { maxLength: 300 }),
        (policy, parts) => {
          const calls = parts.flat().filter((signal) => signal.type === "call").length;
          // Which is about no call.
          const about = run(policy, parts.flat()).interventions.filter(({ detector }) => detector !== "compaction");
          expect(about.length).toBeLessThanOrEqual(2 * calls);
        },
      ),
      { numRuns: 100 },
    );
  });

  test("perceiving never throws and never keeps what it saw", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withNullPrototype: true,
          withObjectString: true,
        }),
        fc.string(),
        (value, name) => {
          const { print } = perceiveCall({ tool: name, args: value }, senses);
          perceiveOutcome({ status: "ok", content: value }, print, senses);
        },
      ),
      { numRuns: 500 },
    );
    const secret = "sk-live-4242424242424242";
    const guardian = createGuardian({ now: () => 1 });
    for (let i = 0; i < 10; i++) {
      guardian.beforeCall({ id: `c${i}`, tool: "http", args: { header: `Authorization: Bearer ${secret}` } });
      guardian.afterCall(`c${i}`, { status: "error", content: `denied for token=${secret}` });
      guardian.endTurn();
    }
    expect(JSON.stringify(guardian.snapshot())).not.toContain(secret);
  });

  test("after 100,000 signals the state is below 64 kB of JSON, also with long names and open calls", () => {
    const long = "mcp__".repeat(30);
    let state = initialState("plain-1");
    let largest = 0;
    const words = (i: number) => Array.from({ length: 60 }, (_, k) => `w${(i * 131 + k * 17) % 5_003}`).join(" ");
    for (let i = 0; i < 25_000; i++) {
      const perceived = perceiveCall(
        { tool: `${long}${i % 300}`, args: { path: `f${i % 700}.ts`, content: words(i % 900) } },
        senses,
      );
      const outcome = perceiveOutcome(
        { status: i % 3 === 0 ? "error" : "ok", content: `error: ${words(i % 77)}` },
        perceived.print,
        senses,
      );
      const signals: Signal[] = [
        { type: "call", at: i * 50, id: `${long}${i}`, tool: `${long}${i % 300}`, ...perceived },
        ...(i % 5 === 0 ? [] : [{ type: "result" as const, at: i * 50 + 1, id: `${long}${i}`, outcome }]),
        // With a verdict, the replies would be forgotten.
        i % 2_000 < 1_000
          ? { type: "reply", at: i * 50 + 2, stop: "end", calls: 0, words: perceived.print.words }
          : { type: "verdict", at: i * 50 + 2, verdict: "retry", hint: words(i % 900) },
        i % 50 === 0
          ? { type: "mute", at: i * 50 + 2, detector: "chant", tool: `${long}${i}` }
          : { type: "child-start", at: i * 50 + 2, id: `${long}${i}`, depth: 1 },
        { type: "turn-end", at: i * 50 + 3 },
      ];
      for (const signal of signals) state = step({ ...defaultPolicy, mode: "observe" }, state, signal).state;
      if (i % 500 === 0) largest = Math.max(largest, Buffer.byteLength(JSON.stringify(state)));
    }
    expect(largest).toBeLessThan(64_000);
  });
});

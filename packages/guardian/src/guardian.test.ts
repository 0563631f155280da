import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createGuardian } from "./guardian.ts";
import type { GuardianEvent } from "./guardian-options.ts";

const clock = () => {
  let now = 0;
  return () => ++now;
};

function repeat(guardian: ReturnType<typeof createGuardian>, times: number): (string | undefined)[] {
  return Array.from({ length: times }, (_, i) => {
    const verdict = guardian.beforeCall({ id: `c${i}`, tool: "bash", args: { command: "make" } });
    if (!verdict.allow) guardian.afterCall(`c${i}`, { status: "denied", content: verdict.message });
    else guardian.afterCall(`c${i}`, { status: "error", content: "make: *** no rule to make target" });
    return guardian.endTurn()[0]?.level ?? (verdict.allow ? undefined : "refused");
  });
}

describe("createGuardian", () => {
  test("a loop calls it before and after each call and sends its messages", () => {
    const guardian = createGuardian({ now: clock() });
    expect(repeat(guardian, 9)).toEqual([
      undefined,
      undefined,
      "hint",
      "warn",
      "block",
      "refused",
      "refused",
      "refused",
      "refused",
    ]);
    expect(guardian.stop).toMatchObject({
      reason: "tool_failures",
      intervention: "e1/halt",
      message: expect.stringContaining("The run is ended here."),
    });
    expect(guardian.beforeCall({ id: "z", tool: "ls", args: {} })).toEqual({
      allow: false,
      message: "The guardian has ended this run (tool_failures).",
    });
  });

  test("a message of a person lets a stopped session continue", () => {
    const guardian = createGuardian({ now: clock() });
    repeat(guardian, 9);
    guardian.userMessage("person");
    expect(guardian.stop).toBeUndefined();
    expect(guardian.beforeCall({ id: "z", tool: "ls", args: {} }).allow).toBe(true);
  });

  test("events report interventions and recoveries", () => {
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ now: clock(), emit: (event) => events.push(event) });
    repeat(guardian, 3);
    guardian.beforeCall({ id: "e", tool: "edit", args: { path: "Makefile", old: "a", new: "b" } });
    guardian.afterCall("e", { status: "ok", content: "updated" });
    guardian.endTurn();
    expect(events.map((event) => event.type)).toEqual(["intervention", "recovered"]);
  });

  test("a saved state continues with the digest of the caller", () => {
    const digest = { name: "sha256", of: (text: string) => createHash("sha256").update(text).digest("hex") };
    const first = createGuardian({ now: clock(), digest });
    repeat(first, 2);
    const second = createGuardian({ now: clock(), digest, state: JSON.parse(JSON.stringify(first.snapshot())) });
    expect(repeat(second, 1)).toEqual(["hint"]);
    const events: GuardianEvent[] = [];
    createGuardian({ now: clock(), state: first.snapshot(), emit: (event) => events.push(event) });
    expect(events).toMatchObject([{ type: "restored" }]);
  });

  test("a restart after any turn of a loop changes no message", () => {
    const args = { command: "make" };
    const play = (restartAfter: number) => {
      const said: string[] = [];
      let guardian = createGuardian({ now: () => 1 });
      for (let i = 0; i < 12 && guardian.stop === undefined; i++) {
        if (guardian.beforeCall({ id: `${i}`, tool: "bash", args }).allow)
          guardian.afterCall(`${i}`, { status: "error", content: "no rule to make target" });
        said.push(...guardian.endTurn().map((each) => each.id));
        if (i === restartAfter)
          guardian = createGuardian({ now: () => 1, state: JSON.parse(JSON.stringify(guardian.snapshot())) });
      }
      return [...said, guardian.stop?.reason];
    };
    for (let i = 0; i < 7; i++) expect(play(i)).toEqual(play(99));
  });

  test("a call streamed again after a retry is counted once", () => {
    const guardian = createGuardian({ now: clock() });
    for (let turn = 0; turn < 2; turn++) {
      guardian.observe({ type: "stream-start", at: 1 });
      guardian.beforeCall({ id: `half${turn}`, tool: "ls", args: {} });
      guardian.observe({ type: "stream-start", at: 2 });
      guardian.beforeCall({ id: `whole${turn}`, tool: "ls", args: {} });
      guardian.beforeCall({ id: `whole${turn}`, tool: "ls", args: {} });
      guardian.afterCall(`half${turn}`, { status: "ok", content: "a b" });
      guardian.afterCall(`whole${turn}`, { status: "ok", content: "a b" });
      guardian.afterCall(`whole${turn}`, { status: "ok", content: "a b" });
      expect(guardian.endTurn()).toEqual([]);
    }
    expect(guardian.snapshot().callCount).toBe(2);
    expect(guardian.snapshot().history).toHaveLength(2);
  });

  test("the caller's words are used", () => {
    const guardian = createGuardian({ now: clock(), words: (finding, level) => `${level}:${finding.detector}` });
    repeat(guardian, 2);
    guardian.beforeCall({ id: "x", tool: "bash", args: { command: "make" } });
    guardian.afterCall("x", { status: "error", content: "make: *** no rule to make target" });
    expect(guardian.endTurn().map((each) => each.message)).toEqual(["hint:failing-call"]);
  });

  test("tools with a kind, or with MCP annotations, are taken at their word", () => {
    const guardian = createGuardian({
      now: clock(),
      tools: [
        { name: "frob", annotations: { readOnlyHint: false } },
        { name: "nap", kind: "wait" },
      ],
    });
    for (const tool of ["frob", "nap"]) {
      guardian.beforeCall({ id: tool, tool, args: {} });
      guardian.afterCall(tool, { status: "ok", content: "ok" });
    }
    expect(guardian.snapshot().history.map((each) => each.kind)).toEqual(["mutate", "wait"]);
  });

  test("a secret in a failing result is not quoted", () => {
    const guardian = createGuardian({ now: clock() });
    for (let i = 0; i < 3; i++) {
      guardian.beforeCall({ id: `${i}`, tool: "http", args: { url: "https://x" } });
      guardian.afterCall(`${i}`, { status: "error", content: "error: bad request, api_key=sk-live-12345 rejected" });
      for (const each of guardian.endTurn()) expect(each.message).not.toContain("sk-live");
    }
  });
});

test("a stream that repeats itself is interrupted before 400 characters of it are out, however it is cut", () => {
  for (const size of [1, 3, 7, 20, 63, 64, 65]) {
    const guardian = createGuardian({ now: () => 1 });
    const text = `I have read the file. ${"the ".repeat(200)}`;
    let heard = "";
    while (guardian.stop === undefined && heard.length < text.length) {
      heard = text.slice(0, heard.length + size);
      const [interrupt] = guardian.delta("thinking", heard.slice(-size));
      if (interrupt === undefined) continue;
      expect(interrupt).toMatchObject({ detector: "chant", effect: "interrupt", isApplied: true });
      expect(heard.slice(0, heard.length - (interrupt.surplus ?? 0))).toMatch(/^I have read the file\. the the ?$/);
      break;
    }
    expect(heard.length).toBeLessThan(422 + size);
    expect(guardian.endTurn()).toMatchObject([{ detector: "chant", level: "hint" }]);
  }
});

test("the channels of a reply are inspected separately", () => {
  const guardian = createGuardian({ now: () => 1 });
  expect(guardian.delta("thinking", "hm ".repeat(100))).toEqual([]);
  expect(guardian.delta("text", "hm ".repeat(100))).toEqual([]);
  expect(guardian.delta("text", "hm ".repeat(60))).toMatchObject([{ detector: "chant" }]);
});

describe("embedding", () => {
  test("a guardian needs no options", () => {
    const guardian = createGuardian();
    expect(repeat(guardian, 3)).toEqual([undefined, undefined, "hint"]);
    expect(guardian.snapshot().clock.at).toBeGreaterThan(1_700_000_000_000);
  });

  test("a policy may be partial", () => {
    const guardian = createGuardian({ policy: { limits: { turns: { stop: 2 } } } });
    repeat(guardian, 2);
    expect(guardian.stop?.reason).toBe("max_turns");
  });

  test.each<[string, unknown, string]>([
    ["no object", 7, "Expected createGuardian() to get an object of options or nothing, got 7."],
    ["null", null, "Expected createGuardian() to get an object of options or nothing, got null."],
    ["an unknown option", { polcy: {} }, 'got "polcy".'],
    ["a clock that is no function", { now: 5 }, "Expected the option now to be a function, got 5."],
    ["tools without names", { tools: [{}] }, "Expected the option tools to be a list of { name, kind? }"],
    ["a policy that is no object", { policy: "strict" }, 'Expected the option policy to be a policy, got "strict".'],
    [
      "an unknown field of the policy",
      { policy: { modus: "guide" } },
      "Expected each field of the policy to be one of",
    ],
    ["an unknown mode", { policy: { mode: "quiet" } }, 'one of guide, advise, observe, got "quiet".'],
    ["an unknown detector", { policy: { detectors: { dom: {} } } }, 'got "dom".'],
    [
      "an unknown level",
      { policy: { detectors: { cycle: { hnit: 3 } } } },
      'one of suspect, hint, warn, block, halt, got "hnit".',
    ],
    ["an unknown limit", { policy: { limits: { money: { stop: 5 } } } }, 'got "money".'],
    ["a negative limit", { policy: { limits: { turns: { stop: -1 } } } }, "a number from 0 up, got -1."],
    ["a digest of control characters", { digest: { name: "x", of: () => "\u0000" } }, "Expected the option digest"],
  ])("wrong options throw a sentence: %s", (_, options, sentence) => {
    expect(() => createGuardian(options as never)).toThrow(sentence);
  });

  test.each<[string, unknown, string]>([
    ["without an id", { tool: "ls", args: {} }, "Expected beforeCall() to get a call with an id, got undefined."],
    ["without a tool", { id: "a", args: {} }, "a call with the name of its tool, got undefined."],
    [
      "of an unknown kind",
      { id: "a", tool: "ls", args: {}, kind: "write" },
      'read, mutate, poll, wait, send, think, move, unknown, got "write".',
    ],
    ["that is nothing", undefined, "a call with an id, got undefined."],
  ])("a call %s throws a sentence", (_, call, sentence) => {
    expect(() => createGuardian().beforeCall(call as never)).toThrow(sentence);
  });

  test("an unknown status throws the list of statuses", () => {
    const guardian = createGuardian();
    guardian.beforeCall({ id: "a", tool: "ls", args: {} });
    expect(() => guardian.afterCall("a", { status: "success", content: "" } as never)).toThrow(
      "Expected the status of a result to be one of ok, error, denied, timeout, unknown-tool, invalid-arguments, " +
        'interrupted, got "success".',
    );
  });

  test("a result of a call that was never announced throws", () => {
    const guardian = createGuardian();
    expect(() => guardian.afterCall("a", { status: "ok", content: "" })).toThrow(RangeError);
  });

  test("a result of a refused, answered, dropped or restored call is ignored with an event", () => {
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ emit: (event) => events.push(event) });
    for (let i = 0; i < 1_100; i++) guardian.beforeCall({ id: `c${i}`, tool: "ls", args: { i } });
    guardian.afterCall("c1099", { status: "ok", content: "" });
    guardian.afterCall("c1099", { status: "ok", content: "" });
    guardian.afterCall("c0", { status: "ok", content: "" });
    const resumed = createGuardian({ state: guardian.snapshot(), emit: (event) => events.push(event) });
    resumed.afterCall("c1098", { status: "interrupted", content: "" });
    expect(events).toEqual([1, 2, 3].map(() => ({ type: "ignored", signal: "result" })));
  });

  test("strange tool names, unreadable arguments and huge inputs of a model never throw", () => {
    const guardian = createGuardian();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    for (const tool of ["", "__proto__", "\u0000", "x".repeat(100_000)])
      for (const args of [undefined, "{not json", cyclic, { text: "y".repeat(200_000) }, 10n]) {
        guardian.beforeCall({ id: `${tool}1`, tool, args });
        guardian.afterCall(`${tool}1`, { status: "ok", content: args });
        guardian.endTurn();
      }
    expect(JSON.stringify(guardian.snapshot()).length).toBeLessThan(64_000);
  });
});

test("an ongoing run keeps its open calls and its stop from one process to the next", () => {
  const policy = { limits: { "run-tokens": { stop: 10 } } };
  const next = (state: unknown, isOngoing: boolean) =>
    createGuardian({ policy, isOngoing, now: () => 0, state: JSON.parse(JSON.stringify(state)) });
  const first = createGuardian({ policy, now: () => 0 });
  first.beforeCall({ id: "c1", tool: "read", args: {} });
  expect(next(first.snapshot(), true).snapshot().unanswered).toHaveLength(1);
  expect(next(first.snapshot(), false).snapshot().unanswered).toEqual([]);
  first.observe({ type: "usage", used: { "run-tokens": 10 }, isPriced: true });
  expect(next(first.snapshot(), true).stop?.reason).toBe("token_budget");
});

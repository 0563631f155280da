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
  test("a loop asks it before a call, tells it after, and passes on what it says", () => {
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

  test("a person's message lets a stopped session go on", () => {
    const guardian = createGuardian({ now: clock() });
    repeat(guardian, 9);
    guardian.userMessage("person");
    expect(guardian.stop).toBeUndefined();
    expect(guardian.beforeCall({ id: "z", tool: "ls", args: {} }).allow).toBe(true);
  });

  test("events tell what happened", () => {
    const events: GuardianEvent[] = [];
    const guardian = createGuardian({ now: clock(), emit: (event) => events.push(event) });
    repeat(guardian, 3);
    guardian.beforeCall({ id: "e", tool: "edit", args: { path: "Makefile", old: "a", new: "b" } });
    guardian.afterCall("e", { status: "ok", content: "updated" });
    guardian.endTurn();
    expect(events.map((event) => event.type)).toEqual(["intervention", "recovered"]);
  });

  test("a saved state goes on where it was, with the digest of the caller", () => {
    const digest = { name: "sha256", of: (text: string) => createHash("sha256").update(text).digest("hex") };
    const first = createGuardian({ now: clock(), digest });
    repeat(first, 2);
    const second = createGuardian({ now: clock(), digest, state: JSON.parse(JSON.stringify(first.snapshot())) });
    expect(repeat(second, 1)).toEqual(["hint"]);
    const events: GuardianEvent[] = [];
    createGuardian({ now: clock(), state: first.snapshot(), emit: (event) => events.push(event) });
    expect(events).toMatchObject([{ type: "restored" }]);
  });

  test("a restart after any turn of a loop changes nothing that is said", () => {
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

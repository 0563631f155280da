import { createGuardian, inferKind } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { asTurns, call, fails, message, pause, play, times, turn } from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const readme = () => call("read", { path: "README.md" }, "A tool that does one thing well.");
const make = () => fails("bash", { command: "make" }, "make: *** No rule to make target 'all'. Stop.");

describe("a refusal is true of the call it refuses", () => {
  test("a call that never failed is not refused for another one's failures", () => {
    const played = play([
      ...times(2, readme),
      ...times(4, make),
      ...asTurns(readme()),
      ...times(2, make),
      ...asTurns(readme()),
    ]);
    for (const { message, tool } of played.interventions) if (tool === "read") expect(message).not.toContain("failed");
  });

  test("a run is not ended for sending without a message about sending", () => {
    const send = () => call("send_email", { to: "a@b.c", subject: "hi" }, "sent");
    expect(play([...times(2, send), ...times(7, make), ...asTurns(send())]).stop?.reason).not.toBe("side_effects");
  });

  test("a transfer back is not the transfer there", () => {
    const script = times(4, (i) =>
      call("transfer", i % 2 === 0 ? { from: "x", to: "y", amount: 5 } : { from: "y", to: "x", amount: 5 }, "ok"),
    );
    expect(play(script).refused).toBe(0);
  });
});

describe("refusing", () => {
  test("a refused call is refused again under the same id, with or without a result", () => {
    const guardian = createGuardian({ now: () => 1 });
    const verdicts = Array.from({ length: 8 }, () => {
      const verdict = guardian.beforeCall({ id: "same", tool: "bash", args: { command: "make" } });
      if (verdict.allow) guardian.afterCall("same", { status: "error", content: "no rule to make target" });
      guardian.endTurn();
      return verdict.allow;
    });
    expect(verdicts).toEqual([true, true, true, true, true, false, false, false]);
    expect(guardian.stop?.message).toContain("The run is ended here.");
  });
});

test("an equal failure twenty times is reported, however much was edited in between", () => {
  const edit = (i: number) =>
    call("edit", { path: `src/part${i}.ts`, old: `alpha${i * 3}`, new: `beta${i * 7}` }, "updated");
  const red = () => fails("bash", { command: "npm test" }, "FAIL sum.test.ts: expected 3, received 4");
  const played = play(times(35, (i) => [red(), edit(i)]));
  expect(played.summary).toEqual(["same-call hint"]);
  expect(played.interventions[0]?.call).toBeGreaterThanOrEqual(38);
});

describe("waiting", () => {
  test("patient polling is left alone for as long as it takes", () => {
    expect(
      play(times(120, () => [call("get_job_status", { job: 7 }, "state: running"), pause(300_000)])).summary,
    ).toEqual([]);
    expect(
      play(times(60, () => call("bash", { command: "sleep 60 && gh run view 7" }, "in progress", { ms: 60_000 })))
        .summary,
    ).toEqual([]);
  });
});

describe("a success is not made a failure by a word in it", () => {
  test("edits to a file called error.ts are edits", () => {
    const edit = (i: number) =>
      call(
        "edit",
        { path: "src/error.ts", old: `case ${i}`, new: `case ${i + 1} + ${"abcdefgh"[i]}` },
        "The file src/error.ts has been updated.",
      );
    expect(
      play(times(8, (i) => [fails("bash", { command: "npm test" }, "1 failed: expected 3"), edit(i)])).summary,
    ).toEqual([]);
  });

  test("listings, tickets and reports that mention errors are not failures", () => {
    expect(
      play(
        times(8, (i) =>
          call("get_ticket", { id: `T-${i}` }, `Subject: error on login page ${i * 31}, reported by ${"abcdefgh"[i]}`),
        ),
      ).summary,
    ).toEqual([]);
    expect(play(times(5, (i) => call("ls", { path: `dir${i}` }, `error.ts\nindex${i}.ts\nmain.ts`))).summary).toEqual(
      [],
    );
  });
});

test.each([
  ["issue_read", { id: 1 }, "read"],
  ["order_status", { id: 1 }, "poll"],
  ["email_search", { q: "x" }, "read"],
  ["book_search", { q: "x" }, "read"],
  ["return_policy", {}, "read"],
  ["create_todo", { title: "x" }, "mutate"],
  ["get_meal_plan", {}, "read"],
  ["tavily", { query: "replace kitchen sink" }, "unknown"],
  ["deploy.wait", { id: 1 }, "wait"],
  ["bash", { command: "kubectl rollout status deploy/web" }, "poll"],
  ["bash", { command: "git log --grep add" }, "unknown"],
  ["bash", { command: "npm test -- -t add" }, "unknown"],
  ["bash", { command: "git stash list" }, "unknown"],
  ["bash", { command: "python3 - <<E\nopen('a.py', 'w').write(x)\nE" }, "mutate"],
])("%s %j is %s", (tool, args, kind) => {
  expect(inferKind(tool, args)).toBe(kind);
});

describe("callers without types", () => {
  test("neither failing functions of the caller nor unreadable arguments end the run", () => {
    const hostile = createGuardian({
      now: () => Number.NaN,
      words: () => {
        throw new Error("no words");
      },
      redact: () => {
        throw new Error("no redaction");
      },
      emit: () => {
        throw new Error("no listener");
      },
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (let i = 0; i < 6; i++) {
      hostile.beforeCall({ id: "same", tool: "\u0000\ud800", args: proxy });
      hostile.afterCall("same", { status: "error", content: new Error("boom") });
      hostile.endTurn();
    }
    expect(hostile.snapshot().clock.elapsedMs).toBe(0);
    expect(hostile.snapshot().history.length).toBe(5);
  });

  test("an unknown origin is an error of the caller, and excuses nothing", () => {
    const guardian = createGuardian({ now: () => 1 });
    for (let i = 0; i < 9 && guardian.stop === undefined; i++) {
      expect(() => guardian.userMessage("user" as "person")).toThrow(
        'Expected origin of a user-message signal to be one of person, automatic, scheduled, got "user".',
      );
      if (guardian.beforeCall({ id: `${i}`, tool: "ls", args: {} }).allow)
        guardian.afterCall(`${i}`, { status: "ok", content: "a b c d" });
      guardian.endTurn();
    }
    expect(guardian.stop?.reason).toBe("doom_loop");
  });

  test("a call that still runs in the background is not forgotten when the next reply begins", () => {
    const guardian = createGuardian({ now: () => 1 });
    guardian.beforeCall({ id: "long", tool: "build", args: {} });
    guardian.endTurn();
    guardian.observe({ type: "stream-start", at: 2 });
    guardian.afterCall("long", { status: "ok", content: "built" });
    expect(guardian.snapshot().history.map((each) => each.index)).toEqual([0]);
  });
});

test("interventions in observe had no effect: in guide a hint comes first", () => {
  const loop = times(9, () => call("ls", {}, "a b c d"));
  const { state } = play(loop, {
    policy: { ...presets.off, mode: "observe", detectors: { "doom-loop": { hint: 3, warn: 4, block: 5, halt: 8 } } },
  });
  const played = play(loop, { state });
  expect(played.summary[0]).toBe("doom-loop hint");
  expect(played.interventions[0]?.denies).toBeUndefined();
});

test("a person's message and a batch do not confuse the counting", () => {
  expect(play([turn(readme(), readme()), message(), turn(readme(), readme())]).summary).toEqual([]);
});

test("secrets of results reach no message", () => {
  const text = "Error: Incorrect API key provided: sk-proj-abcdef1234567890";
  const played = play(times(6, () => fails("http", { url: "https://api.example.com" }, text)));
  for (const { message } of played.interventions) expect(message).not.toContain("sk-proj");
  expect(redactSecrets(text)).toContain("…");
});

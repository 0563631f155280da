import { expect, test } from "vitest";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";

const session = "0b6f1a52-7c1d-4e58-9a3b-2f64d0c7e911";
const spool = `.sheepdog/attach/claude-code/${session}.jsonl`;

let at = 1_793_610_000_000;
function line(type: string, more: object = {}): object {
  at += 1_000;
  return { at, type, ...more };
}

const header = (more: object = {}) =>
  line("session", { version: 1, agent: "codex", session: "s1", mode: "guide", ...more });
const call = (id: string, command = "make", more: object = {}) =>
  line("call", { id, tool: "shell", args: { command }, ...more });
const result = (id: string, status = "ok", more: object = {}) =>
  line("result", { id, status, content: "out", ...more });
const intervention = (level: string, effect: string, more: object = {}) =>
  line("intervention", {
    intervention: {
      ...{ id: `e1/${level}`, detector: "failing-call", level, effect, call: 0, evidence: [0], count: 3 },
      ...{ message: `a ${level}`, isApplied: true, ...more },
    },
  });
const usage = (inputTokens: number, costNanoUsd: number | null) =>
  line("usage", { inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1, costNanoUsd });

test("a spool has the sums that were computed by hand", async () => {
  const { runs, skipped } = await readFixtures(spool);
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual({
    // 5 failing calls, the refused one, the subagent's start and the reply; the subagent has a call and a reply
    runs: 2,
    turns: 8 + 2,
    calls: 7 + 1,
    // the last totals of the session
    inputTokens: 8000,
    cacheReadTokens: 4000,
    cacheWriteTokens: 80,
    outputTokens: 400,
    recordedUsd: 0.04,
  });
});

test("a session is a run of its agent, with the agent's id, and so are its subagents", async () => {
  const { runs } = await readFixtures(spool);
  expect(runs).toMatchObject([
    {
      id: session,
      source: "claude-code",
      model: "claude-sonnet-4-5",
      project: "/home/ada/shop",
      task: "Fix the checkout test.",
      outcome: "answered",
      guardian: { mode: "guide", activity: "ended" },
    },
    {
      id: `${session}/a1b2c3d`,
      parent: session,
      steps: [{ calls: [{ name: "Read", isError: false }] }, { calls: [] }],
    },
  ]);
  const [main] = runs;
  expect(main?.steps[0]).toMatchObject({ user: true, prompt: "Fix the checkout test.", calls: [{ isError: true }] });
  expect(main?.steps[1]?.usage).toEqual({
    ...{ inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 10, outputTokens: 50 },
    ...{ costUsd: 0.005, isSum: true },
  });
  expect(main?.steps.at(-1)).toMatchObject({ text: "The total was never summed; fixed.", calls: [] });
});

test("what the guardian did is told with the call before which it did it", async () => {
  const { runs } = await readFixtures(spool);
  expect(runs[0]?.guardian?.acts).toMatchObject([
    { type: "intervention", beforeCall: 3, intervention: { id: "e1/hint", isApplied: true } },
    { type: "intervention", beforeCall: 5, intervention: { id: "e1/block" } },
    { type: "refused", beforeCall: 5, message: "This call was refused: it has failed 5 times the same way." },
    { type: "recovered", beforeCall: 7, episode: "e1" },
  ]);
});

test("a refused call has the result of the equal call before it, and another one is denied", async () => {
  const deny = line("answer", { event: "PreToolUse", parts: ["deny"] });
  const { runs } = await readValues(header(), call("a"), result("a", "error"), call("b"), deny, call("c", "ls"), deny);
  const calls = runs[0]?.steps.flatMap((step) => step.calls);
  expect(calls).toMatchObject([
    { result: "out", isError: true },
    { result: "out", isError: true },
    { result: "", isError: true, status: "denied" },
  ]);
});

test("an id that an agent uses again is another call", async () => {
  const deny = line("answer", { event: "BeforeTool", parts: ["deny"] });
  const failed = (): readonly object[] => [call("h1"), result("h1", "error"), line("turn-end")];
  const { runs } = await readValues(header(), ...failed(), ...failed(), call("h1"), deny, line("turn-end"), call("h1"));
  expect(runs[0]?.steps.map(({ calls }) => calls.map(({ isError }) => isError))).toEqual([
    [true],
    [true],
    [true],
    [null],
  ]);
  expect(runs[0]?.guardian?.acts).toMatchObject([{ type: "refused", beforeCall: 2 }]);
});

test("a call that the agent made although it was refused has its own result, and was not refused", async () => {
  const deny = line("answer", { event: "PreToolUse", parts: ["deny"] });
  const { runs } = await readValues(header(), call("a"), deny, result("a"), call("b"), deny, result("b", "denied"));
  expect(runs[0]?.steps[0]?.calls).toMatchObject([{ isError: false }, { isError: false }]);
  expect(runs[0]?.guardian?.acts).toMatchObject([{ type: "refused", beforeCall: 1 }]);
});

test("the session works, waits for its user, or has ended, and the guardian may have ended its work", async () => {
  const activityAfter = async (...lines: readonly object[]) => {
    const { runs } = await readValues(header(), line("prompt", { text: "Go.", origin: "person" }), ...lines);
    return [runs[0]?.guardian?.activity, runs[0]?.outcome];
  };
  const stopped = [intervention("halt", "stop"), line("answer", { event: "PostToolUse", parts: ["stop"] })];
  const observed = intervention("halt", "stop", { isApplied: false });
  const reply = line("reply", { text: "Done." });
  const prompt = line("prompt", { text: "More.", origin: "person" });
  expect(await activityAfter(call("a"))).toEqual(["working", undefined]);
  expect(await activityAfter(call("a"), observed)).toEqual(["working", undefined]);
  expect(await activityAfter(call("a"), ...stopped)).toEqual(["idle", "tool_failures"]);
  expect(await activityAfter(call("a"), ...stopped, reply, line("end"))).toEqual(["ended", "tool_failures"]);
  const deny = line("answer", { event: "PreToolUse", parts: ["deny"] }); // where no answer ends the work
  const refused = [call("a"), intervention("halt", "stop"), deny, call("b"), deny, line("turn-end"), reply];
  expect(await activityAfter(...refused)).toEqual(["idle", "tool_failures"]);
  expect(await activityAfter(...refused, prompt, reply)).toEqual(["idle", "answered"]);
  const again = line("answer", { event: "UserPromptSubmit", parts: ["stop"] }); // the limit is still reached
  expect(await activityAfter(...refused, prompt, again)).toEqual(["idle", "tool_failures"]);
  expect(await activityAfter(call("a"), reply)).toEqual(["idle", "answered"]);
  expect(await activityAfter(call("a"), reply, prompt)).toEqual(["working", undefined]);
  expect(await activityAfter(call("a"), reply, line("end"), line("hook"))).toEqual(["ended", "answered"]);
});

test("a subagent that ended with its main agent has its reason", async () => {
  const stop = (more: object) => line("answer", { event: "PreToolUse", parts: ["deny", "stop"], ...more });
  const sub = { subagent: "s" };
  const halt = intervention("halt", "stop", { detector: "run-cost" });
  const { runs } = await readValues(
    header(),
    call("a"),
    call("b", "ls", sub),
    halt,
    stop(sub),
    line("reply", { text: "", ...sub }),
  );
  expect(runs.map(({ outcome }) => outcome)).toEqual(["run_budget", "run_budget"]);
});

test("a refusal is a question only where a person was asked", async () => {
  const refusal = intervention("block", "deny", { question: "It has failed 3 times.", denies: { callId: "a" } });
  const answered = async (part: string) => {
    const { runs } = await readValues(
      header(),
      call("a"),
      refusal,
      line("answer", { event: "PreToolUse", parts: [part] }),
    );
    return runs[0]?.guardian?.acts.map((act) => (act.type === "intervention" ? act.intervention.question : act.type));
  };
  expect(await answered("deny")).toEqual([undefined, "refused"]);
  expect(await answered("ask")).toEqual(["It has failed 3 times."]);
});

test("a call that is refused because its run has to end is shown as refused", async () => {
  const end = line("answer", { event: "PreToolUse", parts: ["deny", "stop"] });
  const { runs } = await readValues(
    header(),
    call("a"),
    result("a", "error"),
    line("turn-end"),
    call("b"),
    intervention("halt", "stop"),
    end,
  );
  expect(runs[0]?.guardian?.acts).toMatchObject([{ type: "refused", beforeCall: 1 }, { type: "intervention" }]);
});

test("totals that a new state counts from zero are added, and an unknown price is no cost", async () => {
  const { runs } = await readValues(
    header({ model: "gpt-5" }),
    ...[usage(50, 1e9), call("a"), usage(100, 2e9), line("turn-end")],
    ...[call("b"), usage(30, 3e9), line("turn-end")],
    ...[call("c"), usage(40, null)],
  );
  expect(runs[0]?.steps.map((step) => [step.usage?.inputTokens, step.usage?.costUsd])).toEqual([
    [100, 2],
    [30, 3],
    [10, undefined],
  ]);
});

test("damaged lines are reported, and unknown ones are passed over", async () => {
  const { runs, skipped } = await readValues(
    ...[header(), call("a"), line("call", { id: 3 }), line("result", { id: "zz", status: "ok" })],
    ...[line("intervention", { intervention: { id: "e1/hint" } }), line("dream"), result("a")],
  );
  expect(runs[0]?.steps[0]?.calls).toMatchObject([{ isError: false }]);
  expect(skipped.map(({ line: number, why }) => [number, why])).toEqual([
    [3, "a call needs an id and the name of a tool"],
    [4, "a result needs the id of a call before it"],
    [5, "an intervention needs an id, a detector, a level and a message"],
    [6, expect.stringContaining("dream")],
  ]);
});

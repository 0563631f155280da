import { expect, test } from "vitest";
import { defaultThresholds } from "../detect/detectors/seed-tool-guardrails.ts";
import { plainDigest } from "../perceive/hash.ts";
import {
  blockTool,
  escalation,
  fresh,
  halt,
  isBlocked,
  type LoopState,
  noProgressCount,
  recordFailure,
  recordSuccess,
} from "./tool-guardrails.ts";

type Change = (state: LoopState) => LoopState;
const after = (...changes: readonly Change[]): LoopState => changes.reduce((state, change) => change(state), fresh());
const times = (count: number, change: Change): readonly Change[] => Array.from({ length: count }, () => change);
const fails =
  (tool: string, args: unknown = "{}"): Change =>
  (state) =>
    recordFailure(state, tool, args);
const answers =
  (tool: string, result?: unknown): Change =>
  (state) =>
    recordSuccess(state, tool, "{}", result);

test("a tool that keeps failing is warned of at three and blocked at five", () => {
  const failures = [1, 2, 3, 4, 5].map((n) => fails("bash", { n }));
  expect(escalation(after(...failures.slice(0, 2)))).toEqual({ type: "none" });
  expect(escalation(after(...failures.slice(0, 3)))).toEqual({
    type: "warn",
    reason: "bash has failed 3 times in a row.",
  });
  expect(escalation(after(...failures))).toEqual({
    type: "block-tool",
    name: "bash",
    reason: "bash has failed 5 times in a row.",
  });
});

test("equal arguments are counted on their own, whatever the order of their keys", () => {
  const state = after(fails("bash", { a: 1, b: 2 }), fails("bash", { b: 2, a: 1 }));
  expect(state).toMatchObject({
    sameToolFailures: 2,
    sameArgsStreak: 2,
    lastToolName: "bash",
    lastToolArgs: plainDigest.of('{"a":1,"b":2}'),
  });
  expect(escalation(state, { sameArgsBlock: 2 })).toEqual({
    type: "block-tool",
    name: "bash",
    reason: "bash has failed 2 times in a row with the same arguments.",
  });
});

test("eight failures over many tools halt the loop", () => {
  const state = after(...["a", "b", "c", "d", "e", "f", "g", "h"].map((tool) => fails(tool)));
  expect(escalation(state)).toEqual({
    type: "halt-loop",
    reason: "8 calls have failed since the last one that succeeded.",
  });
});

test("a success resets the failures and nothing else", () => {
  const state = after(...times(7, fails("bash")), (s) => blockTool(s, "bash"), answers("ls", "a"));
  expect(state).toEqual({
    ...fresh(),
    blockedTools: ["bash"],
    recentResults: [["ls", plainDigest.of("{}"), plainDigest.of("a")]],
  });
});

test("the same answer again is no progress: warned of at two, blocked at five", () => {
  const reason = (count: number) => `ls has given the same answer to the same call ${count} times in a row.`;
  expect(escalation(after(answers("ls", "a"), answers("ls", "b")))).toEqual({ type: "none" });
  expect(escalation(after(...times(2, answers("ls", "a"))))).toEqual({ type: "warn", reason: reason(2) });
  expect(escalation(after(...times(5, answers("ls", { files: 2 }))))).toEqual({
    type: "block-tool",
    name: "ls",
    reason: reason(5),
  });
  expect(noProgressCount(after(...times(5, answers("ls", "a")), answers("cat", "a")))).toBe(1);
});

test("a tool that is not idempotent leaves its result out and is not tracked", () => {
  expect(noProgressCount(after(...times(5, answers("send"))))).toBe(0);
});

test("results are remembered up to a bound", () => {
  const state = after(...times(100, answers("ls", "a")));
  expect([state.recentResults.length, noProgressCount(state)]).toEqual([32, 32]);
});

test("a blocked tool stays blocked, and is listed once", () => {
  const state = blockTool(blockTool(fresh(), "bash"), "bash");
  expect(state.blockedTools).toEqual(["bash"]);
  expect([isBlocked(state, "bash"), isBlocked(state, "ls")]).toEqual([true, false]);
});

test("a halted loop stays halted, whatever succeeds", () => {
  const state = recordSuccess(halt(fresh()), "ls", "{}", "a");
  expect(escalation(state)).toEqual({ type: "halt-loop", reason: "The loop was halted." });
});

test("arguments and results are kept as digests only", () => {
  const secret = "correct horse battery staple";
  const state = after(answers("ls", { secret }), answers("ls", secret), fails("bash", { secret }));
  expect(JSON.stringify(state)).not.toContain("horse");
  expect(escalation(after(...times(2, answers("ls", secret)))).type).toBe("warn");
});

test("no function changes the state it is given, and a state survives JSON", () => {
  const state = Object.freeze(after(fails("bash"), answers("ls", "a")));
  for (const next of [
    recordFailure(state, "a", "b"),
    recordSuccess(state, "a", "b", "c"),
    blockTool(state, "a"),
    halt(state),
  ])
    expect(JSON.parse(JSON.stringify(next))).toEqual(next);
  expect(state).toEqual(after(fails("bash"), answers("ls", "a")));
});

test("thresholds that are not given are the default ones, and 0 is off", () => {
  expect(defaultThresholds).toEqual({
    sameToolWarn: 3,
    sameToolBlock: 5,
    sameArgsBlock: 5,
    totalHalt: 8,
    noProgressWarn: 2,
    noProgressBlock: 5,
  });
  const state = after(...times(9, fails("bash")));
  expect(escalation(state, { totalHalt: 0, sameArgsBlock: 0 }).type).toBe("block-tool");
  expect(escalation(fresh(), { totalHalt: 0, noProgressWarn: 0 })).toEqual({ type: "none" });
});

test.each([
  [{ totalHalt: -1 }, "Expected totalHalt to be a whole number from 0 (off) up, got -1."],
  [{ sameToolWarn: Number.NaN }, "Expected sameToolWarn to be a whole number from 0 (off) up, got NaN."],
  [{ noProgressBlock: 33 }, "Expected noProgressBlock to be at most 32, the number of results remembered, got 33."],
  [3, "Expected thresholds as one object, like { totalHalt: 8 }, got 3."],
])("thresholds that make no sense are refused: %o", (thresholds, why) => {
  expect(() => escalation(fresh(), thresholds as object)).toThrow(why);
});

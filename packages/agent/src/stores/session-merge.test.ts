import { expect, test } from "vitest";
import { sampleRun, start } from "../../test/sample-runs.ts";
import type { Message } from "../protocol/messages.ts";
import type { LoggedRun } from "./logged-run.ts";
import { parseLoggedRun } from "./logged-run.ts";
import { mergeLoggedRuns, type SalvagedSession, withEveryResult } from "./session-merge.ts";

const first = sampleRun("ses", "run_1");
const second = sampleRun("ses", "run_2", { at: start + 60_000, seq: 100 });
const third = sampleRun("ses", "run_3", { at: start + 120_000, seq: 200 });
const logged = [first, second, third].map(({ events }) => {
  const [{ sessionId = "", runId = "" } = {}] = events;
  return parseLoggedRun(
    { sessionId, runId },
    events.map((event) => ({ ...event, level: 3 as const })),
  ) as LoggedRun; // its lines are valid
});

const ledgerOf = (runs: readonly (typeof first)[]) =>
  runs
    .flatMap(({ commits }) => commits.flatMap(({ costs = [] }) => costs))
    .map((row) => ({ ...row, state: "settled" as const }));
const saved = (runs: readonly (typeof first)[]): SalvagedSession => ({
  messages: runs.flatMap(({ messages }) => messages),
  runs: runs.map(({ run }) => run),
  unansweredCalls: [],
  costs: ledgerOf(runs),
});
const prompts = (messages: readonly Message[] = []) =>
  messages.flatMap((message) => (message.role === "user" && message.origin === "person" ? [message.text] : []));

test("logs add nothing to a complete session", () => {
  expect(mergeLoggedRuns(saved([first, second, third]), logged, start)).toEqual({ runs: [], costs: [] });
});

test("a missing run is inserted by its time, with a note at the end", () => {
  const merged = mergeLoggedRuns(saved([first, third]), logged, start + 500_000);
  expect(prompts(merged.messages)).toEqual(["Do run_1", "Do run_2", "Do run_3"]);
  expect(merged.messages?.at(-1)).toMatchObject({
    origin: "automatic",
    reason: "rebuilt",
    text: expect.stringContaining("A run of this conversation"),
  });
  expect([merged.runs.map(({ run }) => run.runId), merged.costs.length]).toEqual([["run_2"], 3]);
});

test("only the missing part of a run's cost is added", () => {
  const complete = saved([first, second, third]);
  const rows = complete.costs.filter(({ id }) => id !== "req-run_2-2");
  const merged = mergeLoggedRuns({ ...complete, costs: rows }, logged, start);
  expect(merged.costs.map(({ id, costNanoUsd, usage }) => [id, costNanoUsd, usage.input])).toEqual([
    ["log_run_2_rest", 4_000_000, 1_000],
  ]);
  expect(
    mergeLoggedRuns(
      { ...complete, costs: [...rows, ...merged.costs.map((row) => ({ ...row, state: "settled" as const }))] },
      logged,
      start,
    ).costs,
  ).toEqual([]);
});

test("a second missing part is added beside the first one", () => {
  const complete = saved([first, second, third]);
  const without = (rows: SalvagedSession["costs"], id: string) => rows.filter((row) => row.id !== id);
  const once = without(complete.costs, "req-run_2-2");
  const rest = mergeLoggedRuns({ ...complete, costs: once }, logged, start).costs.map((row) => ({
    ...row,
    state: "settled" as const,
  }));
  const twice = without([...once, ...rest], "req-run_2-1");
  const { costs } = mergeLoggedRuns({ ...complete, costs: twice }, logged, start);
  expect(costs.map(({ id, costNanoUsd }) => [id, costNanoUsd])).toEqual([["log_run_2_rest_2", 4_000_000]]);
});

test("two notes of the same time have different ids", () => {
  const notes = [1, 2].map(() => mergeLoggedRuns(saved([]), logged, start).messages?.at(-1)?.id);
  expect(new Set(notes).size).toBe(2);
});

test("a missing result becomes an unknown outcome", () => {
  const messages = first.messages.filter(({ id }) => id !== "run_1-2b");
  const added = withEveryResult(messages, []).filter(({ id }) => !messages.some((message) => message.id === id));
  expect(added).toMatchObject([{ role: "tool", callId: "run_1-call-2", status: "interrupted" }]);
});

test("a call that waits for approval keeps waiting", () => {
  const messages = first.messages.slice(0, 4); // the second call has no result
  expect(withEveryResult(messages, [{ callId: "run_1-call-2", tool: "read", state: "awaiting-approval" }])).toEqual(
    messages,
  );
  expect(withEveryResult(messages, [{ callId: "run_1-call-2", tool: "read", state: "started" }]).length).toBe(5);
});

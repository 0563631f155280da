import type { Signal, SignalOf } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { call, calls, run, says } from "../../test/builders.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { signalsOf } from "./signals.ts";

const look = call("look", {}, "a cat");
const long = "The parser reads one line after the other. ".repeat(8);

function signals(recorded: RecordedRun): Signal[] {
  return [...signalsOf(recorded)].map(({ signal }) => signal);
}

function usages(recorded: RecordedRun): SignalOf<"usage">[] {
  return signals(recorded).filter((signal) => signal.type === "usage");
}

test("a step gives a stream, usage, its calls and an end", () => {
  const types = signals(run([{ ...calls(look, look), text: long, user: true }, says(long)])).map(
    (signal) => signal.type,
  );
  expect(types).toEqual([
    "run-start",
    ...["user-message", "stream-start", "delta", "usage", "call", "result", "call", "result", "turn-end"],
    ...["stream-start", "delta", "usage", "reply", "turn-end"],
  ]);
});

test("each call carries the number of calls in its step, and the run has an id", () => {
  const emitted = signals(run([calls(look, look), calls(look)]));
  expect(emitted.flatMap((signal) => (signal.type === "call" ? [signal.of] : []))).toEqual([2, 2, 1]);
  expect(emitted[0]).toMatchObject({ type: "run-start", run: "r" });
});

test("prints differ by the part of the arguments that the policy names", () => {
  const recorded = run([
    calls(call("write", { text: "same beginning, one end" }, "")),
    calls(call("write", { text: "same beginning, another end" }, "")),
  ]);
  const prints = (argumentChars?: number) =>
    [...signalsOf(recorded, argumentChars === undefined ? {} : { argumentChars })].flatMap(({ signal }) =>
      signal.type === "call" ? [signal.print.exact] : [],
    );
  expect(new Set(prints()).size).toBe(2);
  expect(new Set(prints(14)).size).toBe(1);
});

test("usage adds up; a run without any cost is not priced, and a step without usage costs nothing", () => {
  const paid = { ...says("a"), usage: { inputTokens: 5, costUsd: 0.1 } };
  expect(usages(run([paid, says("b"), paid])).map(({ used, isPriced }) => ({ used, isPriced }))).toEqual([
    { used: { "run-tokens": 5, "run-cost": 100_000_000 }, isPriced: true },
    { used: { "run-tokens": 5, "run-cost": 100_000_000 }, isPriced: true },
    { used: { "run-tokens": 10, "run-cost": 200_000_000 }, isPriced: true },
  ]);
  expect(usages(run([says("a")]))).toMatchObject([{ used: { "run-tokens": 0 }, isPriced: false }]);
  expect(usages(run([paid, { ...says("b"), usage: { inputTokens: 5 } }]))).toMatchObject([
    { isPriced: true },
    { isPriced: false },
  ]);
});

test("second opinions are signals before the calls of their step", () => {
  const recorded: RecordedRun = {
    id: "r",
    steps: [
      { turn: 0, text: "", calls: [] },
      { turn: 1, text: "", calls: [], opinions: [{ request: "e1/ask/1", verdict: "stuck", advice: "Stop." }] },
    ],
  };
  expect(signals(recorded).filter(({ type }) => type === "opinion")).toEqual([
    { type: "opinion", at: expect.any(Number), request: "e1/ask/1", verdict: "stuck", advice: "Stop." },
  ]);
});

test("a result that was not recorded is neither news nor a repetition", () => {
  const search = { ...call("web_search", { query: "cats" }, null), isResultUnknown: true as const };
  const types = signals(run([calls(search, look)])).map((signal) => signal.type);
  expect(types).toEqual(["run-start", "usage", "call", "call", "result", "turn-end"]);
});

test("the reader may know better than the name of a tool what a call does", () => {
  const poll = { ...call("write_stdin", { chars: "" }, "running"), kind: "poll" as const };
  const kinds = signals(run([calls(poll, look)])).flatMap((signal) => (signal.type === "call" ? [signal.kind] : []));
  expect(kinds).toEqual(["poll", "unknown"]);
});

test("work that a program gives a subagent is new work, and no person's message is inferred", () => {
  const answered = { ...says("Allowed."), assigned: true as const };
  const origins = signals(run([answered, answered, says("Something else.")])).flatMap((signal) =>
    signal.type === "user-message" ? [signal.origin] : [],
  );
  expect(origins).toEqual(["scheduled", "scheduled"]);
});

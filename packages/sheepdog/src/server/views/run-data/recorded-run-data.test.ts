import { defaultPolicy } from "@sheepdog/guardian";
import type { RecordedRun } from "@sheepdog/records";
import { feedItemSchema, runRowSchema } from "@sheepdog/web/contract";
import { expect, test } from "vitest";
import { plainSentence } from "../../../sentences/say.ts";
import { feedItems } from "../feed-items/feed-items.ts";
import { lede } from "../run-detail/lede.ts";
import { runRow } from "../run-index/run-row.ts";
import { recordedRunData } from "./recorded-run-data.ts";

const entry = {
  id: "rec_1",
  recordedId: "r",
  source: "Claude Code",
  file: "a.jsonl",
  line: 1,
  model: undefined,
  task: undefined,
  outcome: undefined,
  startedAt: undefined,
  endedAt: undefined,
  turns: 2,
  calls: 1,
  costUsd: undefined,
  workspace: undefined,
};
const call = { name: "Bash", args: { command: "ls" }, result: "a\nb", isError: null };
const dataOf = (recording: Partial<RecordedRun>) =>
  recordedRunData({ entry, recording: { id: "r", steps: [], ...recording }, policy: defaultPolicy, now: 0 });

test("a recording has the events of a run, with the times of the recording", async () => {
  const { events, summary } = await dataOf({
    model: "m",
    task: "List it.",
    steps: [
      {
        turn: 0,
        text: "I look.",
        at: 5_000,
        usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.25 },
        calls: [{ ...call, at: 6_000 }],
      },
      {
        turn: 1,
        text: "There are two.",
        at: 9_000,
        usage: { inputTokens: 20, outputTokens: 5, costUsd: 0.5 },
        calls: [],
      },
    ],
  });
  expect(events.map(({ type, at, seq }) => [seq, at, type])).toEqual([
    [1, 5_000, "RunStarted"],
    [2, 5_000, "TurnStarted"],
    [3, 5_000, "StreamEnd"],
    [4, 5_000, "UsageUpdate"],
    [5, 5_000, "CostEvent"],
    [6, 6_000, "ToolStart"],
    [7, 6_000, "ToolEnd"],
    [8, 6_000, "TurnComplete"],
    [9, 9_000, "TurnStarted"],
    [10, 9_000, "StreamEnd"],
    [11, 9_000, "UsageUpdate"],
    [12, 9_000, "CostEvent"],
    [13, 9_000, "TurnComplete"],
  ]);
  expect(events.every(({ sessionId, runId }) => sessionId === "rec_1" && runId === "rec_1")).toBe(true);
  expect(events[11]).toMatchObject({ model: "m", costNanoUsd: 5e8, totalNanoUsd: 7.5e8 });
  expect(summary.run).toMatchObject({
    prompt: "List it.",
    text: "There are two.",
    startedAt: 5_000,
    endedAt: 9_000,
    costNanoUsd: 7.5e8,
  });
});

test("events of a recording without times are one second apart", async () => {
  const { events } = await dataOf({
    steps: [
      { turn: 0, text: "", calls: [call, call] },
      { turn: 1, text: "", calls: [] },
    ],
  });
  expect(events.filter(({ type }) => type === "TurnStarted" || type === "ToolStart").map(({ at }) => at)).toEqual([
    1_000, 2_000, 3_000, 4_000,
  ]);
});

test("what a loop cost is unknown if no cost is recorded", async () => {
  const failing = { ...call, result: "error: no rule", isError: true };
  const data = await dataOf({ steps: Array.from({ length: 5 }, (_, turn) => ({ turn, text: "", calls: [failing] })) });
  const { costUsd, loopUsd, guardian } = runRow(data);
  expect([costUsd, loopUsd, guardian?.text]).toEqual([null, null, "would have refused"]);
});

test("odd recordings can be listed", async () => {
  const odd: readonly Partial<RecordedRun>[] = [
    {},
    { steps: [{ turn: 7, text: "", at: Number.NaN, calls: [{ ...call, args: null, result: undefined, at: -1 }] }] },
    { task: "x".repeat(100_000), steps: [{ turn: 0, text: "y".repeat(1_000_000), calls: [] }] },
    { steps: Array.from({ length: 30 }, (_, turn) => ({ turn: 30 - turn, text: "", at: 30 - turn, calls: [call] })) },
  ];
  for (const recording of odd) {
    const data = await dataOf(recording);
    runRowSchema.parse(runRow(data));
    for (const item of feedItems(data)) feedItemSchema.parse({ ...item, position: 0 });
  }
});

test("a recording with more calls than are judged says so", async () => {
  const { recorded } = await recordedRunData({
    entry: { ...entry, calls: 40_000 },
    recording: { id: "r", steps: [] },
    policy: defaultPolicy,
    now: 0,
  });
  expect(recorded?.problem).toBe("The guardian has looked at the first 20000 of 40000 calls.");
});

test("the outcome of a recording is shown as it is, and is unknown without one", async () => {
  const shown = async (outcome?: string) => {
    const data = await dataOf({ id: "run-1", ...(outcome === undefined ? {} : { outcome }) });
    const { state, reason } = runRow(data);
    return [state, reason, plainSentence(lede(data))];
  };
  expect(await shown("failure")).toEqual(["error", "failure", "Recording run-1 (a.jsonl:1). Its outcome: failure."]);
  expect(await shown("success")).toEqual([
    "completed",
    "success",
    "Recording run-1 (a.jsonl:1). Its outcome: success.",
  ]);
  expect(await shown()).toEqual(["completed", null, "Recording run-1 (a.jsonl:1). Its outcome is unknown."]);
});

test("limits of this configuration are not applied to a recording", async () => {
  const steps = Array.from({ length: 5 }, (_, turn) => ({ turn, text: `Page ${turn}`, calls: [] }));
  const policy = { ...defaultPolicy, limits: { turns: { stop: 2 } } };
  const { trace } = await recordedRunData({ entry, recording: { id: "r", steps }, policy, now: 0 });
  expect(trace.interventions).toEqual([]);
});

import { eventBuilder } from "./event-builder.ts";
import { nightRun, type TestRun } from "./night-run.ts";

/** A plain run without interventions: it looks, edits, tests and answers. */
export function goodRun(): TestRun {
  const run = eventBuilder("run_good", new Date("2026-11-11T10:00:00").getTime());
  run.emit({ type: "RunStarted", prompt: "Fix the total of an order." });
  run.turn(1);
  run.cost(0.01);
  run.context(4_000);
  run.call({ tool: "read", input: { path: "src/order.ts" }, content: "export const total = 1;" });
  run.call({ tool: "grep", input: { pattern: "total" }, content: "src/order.ts:1" });
  run.turn(2);
  run.cost(0.02);
  run.context(5_000);
  run.call({
    tool: "edit",
    input: { path: "src/order.ts", old: "1", new: "2" },
    diff: {
      path: "src/order.ts",
      isCut: false,
      lines: [
        { sign: "-", text: "export const total = 1;", number: 1 },
        { sign: "+", text: "export const total = 2;", number: 1 },
      ],
    },
  });
  run.call({ tool: "bash", input: { command: "npm test" }, ms: 4_000, content: "12 passed\n[exit code 0]" });
  run.turn(3);
  run.cost(0.03);
  run.text("The total is right now. All **12 tests** pass.");
  run.emit({
    type: "RunComplete",
    result: {
      ...{ sessionId: "ses_good", runId: "run_good", state: "completed", reason: "answered", exitCode: 0, turns: 3 },
      text: "The total is right now. All **12 tests** pass.",
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, isEstimated: false },
      costNanoUsd: 0.03e9,
      interventions: [],
    },
  });
  const { detail } = nightRun();
  return {
    events: run.events,
    whatIf: { defaultCount: 8, points: [] },
    detail: {
      ...detail,
      run: {
        ...detail.run,
        ...{ id: "run_good", sessionId: "ses_good", state: "completed", reason: "answered", turns: 3, costUsd: 0.03 },
        sentence: [{ text: "Fixed the total of an order; 12 tests pass" }],
        ...{ limitUsd: null, loopUsd: 0, guardian: null, goal: null, prompt: "Fix the total of an order." },
        startedAt: run.events[0]?.at ?? 0,
        endedAt: run.at,
      },
      ...{ lede: [], goal: null, interventions: [], rungs: {} },
    },
  };
}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createEventBus } from "../events/event-bus.ts";
import { attachRunLog } from "./attach-run-log.ts";
import { logFile } from "./log-path.ts";

const run = { sessionId: "ses_1", runId: "run_1" };

function attachedLog() {
  const dir = mkdtempSync(join(tmpdir(), "run-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const bus = createEventBus({ now: () => 1 });
  const close = attachRunLog(bus, { dir, ...run, level: 3, isRedacted: true });
  const lines = () =>
    readFileSync(logFile({ dir, ...run }), "utf8")
      .split("\n")
      .filter(Boolean);
  const turns = () => lines().map((line) => (JSON.parse(line) as { readonly turn: number }).turn);
  return { bus, close, turns };
}

test("events are logged with the next turn of the event loop, and the rest when the log is closed", async () => {
  const { bus, close, turns } = attachedLog();
  bus.emit(run, { type: "TurnStarted", turn: 1 });
  await nextEventLoopTurn();
  expect(turns()).toEqual([1]);
  bus.emit(run, { type: "TurnStarted", turn: 2 });
  close();
  await nextEventLoopTurn();
  expect(turns()).toEqual([1, 2]);
});

test("events of a run that blocks the event loop are logged in order", async () => {
  const { bus, close, turns } = attachedLog();
  const many = Array.from({ length: 1_500 }, (_, n) => n + 1);
  for (const turn of many) bus.emit(run, { type: "TurnStarted", turn });
  expect(turns().length).toBeGreaterThan(500);
  await nextEventLoopTurn();
  expect(turns()).toEqual(many);
  close();
});

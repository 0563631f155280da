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
  const close = attachRunLog(bus, { dir, ...run, level: 3 });
  const lines = () =>
    readFileSync(logFile({ dir, ...run }), "utf8")
      .split("\n")
      .filter(Boolean);
  const turns = () => lines().map((line) => (JSON.parse(line) as { readonly turn: number }).turn);
  return { bus, close, lines, turns };
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

test("no secret of an event gets into the log", () => {
  const { bus, close, lines } = attachedLog();
  const canary = "sk-canary-9f8e7d6c5b4a39281706";
  bus.emit(run, { type: "RunStarted", prompt: `with ${canary}` });
  const input = { command: "x", env: { API_KEY: "canary1", deep: [`x-goog-api-key: ${canary}`] } };
  bus.emit(run, { type: "ToolStart", callId: "call_1", tool: "bash", input });
  const content = `Authorization: Bearer ${canary}\nhttps://u:${canary}@h/`;
  const details = { token: "canary2" };
  bus.emit(run, { type: "ToolEnd", callId: "call_1", tool: "bash", status: "ok", content, ms: 1, details });
  close();
  expect(lines()).toHaveLength(3);
  expect(lines().join()).not.toContain("canary");
});

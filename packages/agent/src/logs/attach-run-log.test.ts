import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createEventBus } from "../events/event-bus.ts";
import { attachRunLog } from "./attach-run-log.ts";
import { logFile } from "./log-path.ts";

const place = { sessionId: "ses_1", runId: "run_1" };

function logged() {
  const dir = mkdtempSync(join(tmpdir(), "keep-log-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const bus = createEventBus({ now: () => 1 });
  const close = attachRunLog(bus, { dir, ...place, level: 3 });
  const lines = () =>
    readFileSync(logFile({ dir, ...place }), "utf8")
      .split("\n")
      .filter(Boolean);
  const turns = () => lines().map((line) => (JSON.parse(line) as { readonly turn: number }).turn);
  return { bus, close, turns };
}

test("what happened is logged with the next turn of the event loop, and the rest when the log ends", async () => {
  const { bus, close, turns } = logged();
  bus.emit(place, { type: "TurnStarted", turn: 1 });
  await nextTurn();
  expect(turns()).toEqual([1]);
  bus.emit(place, { type: "TurnStarted", turn: 2 });
  close();
  await nextTurn();
  expect(turns()).toEqual([1, 2]);
});

test("a run that leaves the event loop no turn is logged all the same, in order", async () => {
  const { bus, close, turns } = logged();
  const many = Array.from({ length: 1_500 }, (_, n) => n + 1);
  for (const turn of many) bus.emit(place, { type: "TurnStarted", turn });
  expect(turns().length).toBeGreaterThan(500);
  await nextTurn();
  expect(turns()).toEqual(many);
  close();
});

import { createGuardian } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import type { Checkpoint } from "../stores.ts";
import { changesText, checkpointOf } from "./checkpoint-parts.ts";

/** The checkpoints of a session in which much happens, turn by turn. */
function* checkpoints(turns: number): Generator<Checkpoint> {
  let at = 0;
  const guardian = createGuardian({ now: () => at, run: 'run "1"' });
  for (let turn = 0; turn < turns; turn += 1) {
    at += 1_000;
    for (let call = 0; call <= turn % 3; call += 1) {
      const id = `call_${turn}_${call}`;
      guardian.beforeCall({ id, tool: 'a "tool"', args: { path: `file ${turn % 90}` } });
      guardian.afterCall(id, { status: turn % 7 === 0 ? "error" : "ok", content: `"${turn % 40}" \u2028 ü` });
    }
    guardian.endTurn();
    if (turn % 50 === 0) guardian.message("so");
    if (turn % 35 === 0) guardian.userMessage("person");
    const total = { input: turn, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
    yield {
      runId: "run_1",
      turn,
      total,
      costNanoUsd: null,
      recoveries: { maxTokens: 0, emptyReply: 0 },
      guardian: guardian.snapshot(),
    };
  }
}

test("a whole one and what has changed since are the same JSON again, however long ago the whole one was written", () => {
  for (const every of [1, 7, 40, 1_000]) {
    let whole: Checkpoint | undefined;
    for (const checkpoint of checkpoints(220)) {
      if (whole === undefined || checkpoint.turn % every === 0) whole = checkpoint;
      const got = checkpointOf(JSON.stringify(whole), changesText(checkpoint, whole.guardian));
      expect(JSON.stringify(got)).toBe(JSON.stringify(checkpoint));
    }
  }
});

test("what has changed in a turn is a small part of it", () => {
  const all = [...checkpoints(220)];
  const [before, after] = all.slice(-2) as [Checkpoint, Checkpoint]; // the last two
  expect(changesText(after, before.guardian).length).toBeLessThan(JSON.stringify(after).length / 5);
});

test("an item that was replaced in the middle of a list is the new one", () => {
  const whole = [...checkpoints(60)].at(-1) as Checkpoint; // there are sixty
  const history = whole.guardian.history
    .slice(2)
    .map((call, index) => (index % 9 === 4 ? { ...call, isSettled: true as const } : call));
  const checkpoint = { ...whole, guardian: { ...whole.guardian, history } };
  const got = checkpointOf(JSON.stringify(whole), changesText(checkpoint, whole.guardian));
  expect(JSON.stringify(got)).toBe(JSON.stringify(checkpoint));
});

test("states that share nothing are put together as well", () => {
  const [one, other] = [[...checkpoints(60)], [...checkpoints(90)]].map((all) => all.at(-1)) as [
    Checkpoint,
    Checkpoint,
  ]; // there are some
  const got = checkpointOf(JSON.stringify(one), changesText(other, one.guardian));
  expect(JSON.stringify(got)).toBe(JSON.stringify(other));
});

test("parts that do not fit together are not put together", () => {
  const all = [...checkpoints(60)];
  const [first, whole, checkpoint] = [all[0], all[55], all[59]] as [Checkpoint, Checkpoint, Checkpoint]; // there are sixty
  const changes = changesText(checkpoint, whole.guardian);
  expect(() => checkpointOf(JSON.stringify(first), changes)).toThrow(/Expected/);
  expect(() => checkpointOf('{"guardian":{}}', changes)).toThrow(/Expected/);
});

import { expect, test } from "vitest";
import { liveHead } from "./live-head.ts";
import { createRunModel } from "./run-model.ts";
import { nightRun } from "./testing/night-run.ts";

function night() {
  const { events, detail } = nightRun();
  const model = createRunModel();
  model.add(events);
  const stale = { ...detail, run: { ...detail.run, isLive: true, endedAt: null, costUsd: 0.089, turns: 15 } };
  return { detail: stale, model };
}

test("the head of a live run has the cost and the turns of its newest events", () => {
  const { detail, model } = night();
  const { run } = liveHead(detail, model);
  expect([run.costUsd, run.turns]).toEqual([model.costs.at(-1)?.value, model.turns]);
});

test("a head that knows more than the events stays, and so does the head of a run that has ended", () => {
  const { detail, model } = night();
  const newer = { ...detail, run: { ...detail.run, costUsd: 1_000, turns: 1_000 } };
  expect(liveHead(newer, model).run).toMatchObject({ costUsd: 1_000, turns: 1_000 });
  const ended = { ...detail, run: { ...detail.run, isLive: false } };
  expect(liveHead(ended, model)).toBe(ended);
});

test("a cost that is unknown is not made up from the priced part of the run", () => {
  const { detail } = night();
  const unpriced = { ...detail, run: { ...detail.run, costUsd: null } };
  expect(liveHead(unpriced, createRunModel()).run.costUsd).toBe(null);
});

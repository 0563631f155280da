import { expect, test } from "vitest";
import { createAxis } from "./axis.ts";
import { pinsOf } from "./pins.ts";
import { createRunModel } from "./run-model.ts";
import { nightRun } from "./testing/night-run.ts";

const { events, detail } = nightRun();
const model = createRunModel();
model.add(events);
const axis = createAxis({ domain: { from: model.startedAt ?? 0, to: model.lastAt ?? 0 } });

test("pins that would cover each other give way to the selected and the strongest", () => {
  const warn = detail.interventions.find(({ episode, level }) => episode === "e2" && level === "warn");
  const pins = pinsOf(detail.interventions, model.items, { axis, selectedSeq: warn?.seq ?? null, minGap: 2 });
  expect(pins.map(({ level, isShown }) => [level, isShown])).toEqual([
    ["hint", false],
    ["recovered", true],
    ["hint", false],
    ["warn", true],
    ["block", false],
    ["you", false],
    ["halt", false],
    ["limit", true],
    ["block", false],
    ["halt", true],
  ]);
});

test("with enough space every pin is shown, in order of time", () => {
  const pins = pinsOf(detail.interventions, model.items, { axis, selectedSeq: null, minGap: 0 });
  expect(pins.every(({ isShown }) => isShown)).toBe(true);
  expect(pins.map(({ at }) => at)).toEqual(pins.map(({ at }) => at).toSorted((a, b) => a - b));
});

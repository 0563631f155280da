import { expect, test } from "vitest";
import { createRunModel } from "./run-model.ts";
import { defaultIntervention, interventionFor } from "./selection.ts";
import { buildStory } from "./story.ts";
import { nightRun } from "./testing/night-run.ts";

const { events, detail } = nightRun();
const model = createRunModel();
model.add(events);
const { rows, rowOf } = buildStory(model.items, detail.interventions);
const selected = (seq: number) => interventionFor(detail.interventions, seq, rows[rowOf(seq)])?.id;

test("the page opens with the warning of the strongest episode", () => {
  expect([defaultIntervention(detail.interventions)?.id, defaultIntervention([])]).toEqual(["e2/warn", undefined]);
});

test("an event selects its intervention, or the newest one of its fold before it", () => {
  const call = (callId: string) => model.callById.get(callId)?.seq ?? 0;
  expect([selected(detail.interventions[0]?.seq ?? 0), selected(call("call_27")), selected(call("call_31"))]).toEqual([
    "e1/hint",
    "e2/hint",
    "e2/warn",
  ]);
  expect(selected(events.at(-1)?.seq ?? 0)).toBe("e2/halt2");
});

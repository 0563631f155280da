import { expect, test } from "vitest";
import { filesOf } from "./files.ts";
import { createRunModel } from "./run-model.ts";
import { buildStory } from "./story.ts";
import { isShown } from "./story-filter.ts";
import { goodRun } from "./testing/good-run.ts";
import { nightRun } from "./testing/night-run.ts";

test("files have their reads, edits and changed lines, changed ones first", () => {
  const model = createRunModel();
  model.add(goodRun().events);
  expect(filesOf(model.calls).map(({ seq: _, at: __, ...file }) => file)).toEqual([
    { path: "src/order.ts", reads: 1, edits: 1, added: 1, removed: 1 },
  ]);
});

test("filters keep the guardian, failures or edits", () => {
  const { events, detail } = nightRun();
  const model = createRunModel();
  model.add(events);
  const { rows } = buildStory(model.items, detail.interventions);
  const counts = (["guardian", "failures", "edits"] as const).map(
    (filter) => rows.filter((row) => isShown(row, filter)).length,
  );
  expect(counts).toEqual([4, 3, 6]);
});

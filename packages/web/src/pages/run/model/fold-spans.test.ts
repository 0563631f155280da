import { expect, test } from "vitest";
import { foldSpans } from "./fold-spans.ts";
import { createRunModel } from "./run-model.ts";
import { buildStory } from "./story.ts";
import { goodRun } from "./testing/good-run.ts";
import { nightRun } from "./testing/night-run.ts";

function spansOf({ events, detail }: ReturnType<typeof nightRun>) {
  const model = createRunModel();
  model.add(events);
  return foldSpans(buildStory(model.items, detail.interventions).rows, detail.interventions);
}

test("the night is folded once: from after its last early step until before its end", () => {
  const clock = (at: number) => new Date(at).toTimeString().slice(0, 5);
  expect(spansOf(nightRun()).map(({ from, to }) => [clock(from), clock(to)])).toEqual([["01:27", "06:32"]]);
});

test("a run without repeats is not folded", () => {
  expect(spansOf(goodRun())).toEqual([]);
});

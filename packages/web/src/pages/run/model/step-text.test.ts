import { expect, test } from "vitest";
import { createRunModel } from "./run-model.ts";
import { isAskedIn, lookWords, ordinal, stepText, turnRange } from "./step-text.ts";
import { buildStory } from "./story.ts";
import { nightRun } from "./testing/night-run.ts";

test("the steps of the night in words", () => {
  const { events, detail } = nightRun();
  const model = createRunModel();
  model.add(events);
  const fold = buildStory(model.items, detail.interventions).rows.find(
    (row) => row.type === "fold" && row.calls.length === 212,
  );
  const views = new Map(detail.interventions.map((view) => [view.seq, view]));
  const words = fold?.type === "fold" ? fold.steps.map((step) => stepText(step, views.get(step.seq))) : [];
  expect(words.map(({ title, detail: more }) => `${title} ${more}`.trim())).toEqual([
    "Hinted at the 3rd. Not followed.",
    "Warned at the 4th. Not followed.",
    "Asked you at the 5th. You let it continue.",
    "You let it continue.",
    "Would have ended the run at the 8th. The guardian only watched.",
    "Limit: This run has used $32.00 of $40.00.",
    "Refused the call at the 212th. Not followed.",
  ]);
});

test("a step says how often it happened, not what it counts as", () => {
  const { events } = nightRun();
  const model = createRunModel();
  model.add(events);
  const item = model.items.find(({ type }) => type === "guardian");
  if (item?.type !== "guardian") throw new Error("The night has interventions.");
  const step = { ...item, intervention: { ...item.intervention, count: 4.5, times: 7 } };
  expect(stepText(step, undefined).title).toBe("Hinted at the 7th.");
});

test("the guardian asks until the user answers; without an answer it refuses the call", () => {
  const question = { id: "q_1", text: "Stop it?", seq: 9 };
  const answer = (given: "continue" | "none") => ({ answer: given, text: null, at: 1 });
  expect(isAskedIn({ question, answer: null })).toBe(true);
  expect(isAskedIn({ question, answer: answer("continue") })).toBe(true);
  expect(isAskedIn({ question, answer: answer("none") })).toBe(false);
  expect(isAskedIn({ question: null, answer: null })).toBe(false);
});

test("ordinals, turns and looks in words", () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21, 112, 212].map(ordinal)).toEqual([
    ...["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "212th"],
  ]);
  expect([turnRange(4, 4), turnRange(38, 461)]).toEqual(["turn 4", "turns 38–461"]);
  expect([lookWords(["read", "read", "run"]), lookWords(["run"])]).toEqual(["2 files read, 1 command", "1 command"]);
});

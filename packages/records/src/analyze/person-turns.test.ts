import { expect, test } from "vitest";
import { call, calls, run, says } from "../../test/builders.ts";
import { personTurns } from "./person-turns.ts";

const look = calls(call("look", {}, "nothing"));
const turnsOf = (...steps: Parameters<typeof run>[0]) => [...personTurns(run(steps))];

test("when the recording marks user messages, no other is inferred", () => {
  expect(turnsOf({ ...look, user: true }, says("Which one?"), look)).toEqual([0]);
});

test("a message followed by another step was answered by a person; the last one was not", () => {
  expect(turnsOf(look, look, says("Which one?"), look, says("Done."))).toEqual([3]);
});

test("a message that repeats an earlier one was not answered by a person", () => {
  expect(turnsOf(look, look, look, says("Which  one?"), look, says("which one?"), look)).toEqual([4]);
});

test("messages after nearly every call come from an orchestrator", () => {
  expect(turnsOf(look, says("Next: a"), look, says("Next: b"), look, says("Next: c"), look)).toEqual([]);
});

test("an empty reply was not answered", () => {
  expect(turnsOf(look, look, says(" "), look)).toEqual([]);
});

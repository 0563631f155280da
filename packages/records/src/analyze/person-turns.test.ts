import { expect, test } from "vitest";
import { call, calls, run, says } from "../../test/builders.ts";
import { personTurns } from "./person-turns.ts";

const look = calls(call("look", {}, "nothing"));
const spokenBefore = (...steps: Parameters<typeof run>[0]) => [...personTurns(run(steps))];

test("marks of the recording are believed, and nothing is inferred beside them", () => {
  expect(spokenBefore({ ...look, user: true }, says("Which one?"), look)).toEqual([0]);
});

test("a message followed by another step was answered by a person; the last one was not", () => {
  expect(spokenBefore(look, look, says("Which one?"), look, says("Done."))).toEqual([3]);
});

test("a message that was said before was answered by nobody", () => {
  expect(spokenBefore(look, look, look, says("Which  one?"), look, says("which one?"), look)).toEqual([4]);
});

test("messages after nearly every call are an orchestrator's chatter", () => {
  expect(spokenBefore(look, says("Next: a"), look, says("Next: b"), look, says("Next: c"), look)).toEqual([]);
});

test("an empty reply is no question", () => {
  expect(spokenBefore(look, look, says(" "), look)).toEqual([]);
});

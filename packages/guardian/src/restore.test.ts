import { expect, test } from "vitest";
import { restoreState } from "./restore.ts";
import { initialState } from "./state.ts";
import { call, play, times } from "./testing/index.ts";

test("a saved state comes back as it was", () => {
  const { state } = play(times(4, () => call("ls", {}, "a b c")));
  expect(restoreState(JSON.parse(JSON.stringify(state)), "plain-1")).toEqual({ state });
});

test("fields that an older version did not have get their beginnings", () => {
  const { mutes: _, children: __, ...older } = initialState("plain-1");
  expect(restoreState(older, "plain-1")).toEqual({ state: initialState("plain-1") });
});

test.each([
  [null, "expected a saved guardian state, got null; starting afresh"],
  ["x", "expected a saved guardian state, got string; starting afresh"],
  [{ version: 9 }, "saved guardian state has version 9, expected 1; starting afresh"],
  [{ ...initialState("plain-1"), history: "x" }, "saved guardian state has a malformed history; starting afresh"],
])("%j is not a state, and that is said", (saved, note) => {
  expect(restoreState(saved, "plain-1")).toEqual({ state: initialState("plain-1"), note });
});

test("prints of another digest cannot be compared and are dropped", () => {
  const { state } = play(times(4, () => call("ls", {}, "a b c")));
  const restored = restoreState(state, "sha256");
  expect(restored.state.history).toEqual([]);
  expect(restored.state.calls).toBe(4);
  expect(restored.note).toContain("plain-1");
});

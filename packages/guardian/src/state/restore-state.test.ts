import { expect, test } from "vitest";
import { createGuardian } from "../guardian.ts";
import type { GuardianEvent } from "../guardian-options.ts";
import { call, play, times } from "../testing/index.ts";
import { initialState } from "./initial-state.ts";
import { restoreState } from "./restore-state.ts";

test("a saved state comes back as it was", () => {
  const { state } = play(times(4, () => call("ls", {}, "a b c")));
  expect(restoreState(JSON.parse(JSON.stringify(state)), "plain-1")).toEqual({ state });
});

test("fields that an older version did not have get their beginnings", () => {
  const { mutes: _, subagents: __, refusedAnswers: ___, ...older } = initialState("plain-1");
  expect(restoreState(older, "plain-1")).toEqual({ state: initialState("plain-1") });
});

test.each([
  [null, "got null"],
  ["x", "got x"],
  [{ version: 9 }, "got 9"],
])("%j is not a state, and the note says so", (saved, note) => {
  expect(restoreState(saved, "plain-1")).toMatchObject({
    state: initialState("plain-1"),
    note: expect.stringContaining(note),
  });
});

test("prints of another digest cannot be compared and are dropped", () => {
  const { state } = play(times(4, () => call("ls", {}, "a b c")));
  const restored = restoreState(state, "sha256");
  expect(restored.state.history).toEqual([]);
  expect(restored.state.callCount).toBe(4);
  expect(restored.note).toContain("plain-1");
});

test.each(["history", "past", "open", "findings", "episodes", "mutes", "clock", "tools", "limits"])(
  "a state whose %s was tampered with never ends the run: it begins again, and says so where it must",
  (field) => {
    const { state } = play(times(4, () => call("ls", {}, "a b c")));
    for (const nonsense of [null, [null], "x", 7, [{}], [["x"]]]) {
      const events: GuardianEvent[] = [];
      const guardian = createGuardian({
        now: () => 5,
        state: { ...state, [field]: nonsense },
        emit: (event) => events.push(event),
      });
      for (let i = 0; i < 5; i++) {
        guardian.beforeCall({ id: `${i}`, tool: "ls", args: {} });
        guardian.afterCall(`${i}`, { status: "ok", content: "a b c" });
        guardian.endTurn();
      }
      expect(guardian.snapshot().history.length).toBeGreaterThan(0);
    }
  },
);

test("a saved list that is too long is cut as soon as it is used", () => {
  const { state } = play(times(4, () => call("ls", {}, "a b c")));
  const [first] = state.history;
  const guardian = createGuardian({
    now: () => 5,
    state: {
      ...state,
      history: Array.from({ length: 5_000 }, () => first),
      past: Array.from({ length: 100_000 }, () => [1, 1, 0, 0, 0, "read", "a", "b", 0]),
    },
  });
  guardian.beforeCall({ id: "1", tool: "read", args: { path: "a" } });
  guardian.afterCall("1", { status: "ok", content: "new" });
  expect(JSON.stringify(guardian.snapshot()).length).toBeLessThan(64_000);
});

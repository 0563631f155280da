import { expect, test } from "vitest";
import { readStart } from "./continued-session.ts";

const spec = { version: 1, isAttended: true, settings: { "agent.max_turns": 9, "agent.min_tail": 4 } };

test("a limit that the user changed during the run counts in place of the one that it was started with", () => {
  expect(readStart(spec, { turns: { stop: 50 }, "run-cost": { stop: 5e9 }, time: {} })?.settings).toEqual({
    "agent.max_turns": 50,
    "agent.min_tail": 4,
    "agent.max_duration_secs": 0,
    "budget.per_run_limit_cents": 500,
  });
});

test("a budget of the day belongs to the session, and not to what its run was started with", () => {
  expect(readStart(spec, { "day-cost": { stop: 5e9 } })?.settings).toEqual(spec.settings);
});

test("a run without anybody to ask stays so", () => {
  expect(readStart({ ...spec, isAttended: false }, {})?.settings["agent.attended"]).toBe(false);
});

test("settings of another version are named, and what is no description is unknown", () => {
  const settings = { "agent.gone": 1, "agent.max_turns": -1, "agent.min_tail": 4 };
  expect(readStart({ ...spec, settings }, {})).toEqual({
    isAttended: true,
    settings: { "agent.min_tail": 4 },
    omitted: ["agent.gone", "agent.max_turns"],
  });
  for (const other of [undefined, null, 1, "x", [], {}, { ...spec, version: 2 }, { ...spec, settings: 1 }])
    expect(readStart(other, {})).toBeUndefined();
});

import { expect, test } from "vitest";
import { sessionLinks } from "./session-links.ts";
import { nightRun } from "./testing/night-run.ts";

test("a run is linked with the runs of its session just before and just after it", () => {
  const { run } = nightRun().detail;
  const other = (id: string, minutes: number) => ({ id, prompt: "", startedAt: run.startedAt + minutes * 60_000 });
  const otherRuns = [other("first", -90), other("before", -5), other("after", 5), other("last", 90)];
  expect(sessionLinks({ run, otherRuns })).toEqual({ earlier: otherRuns[1], later: otherRuns[2] });
  expect(sessionLinks({ run, otherRuns: [] })).toEqual({ earlier: undefined, later: undefined });
});

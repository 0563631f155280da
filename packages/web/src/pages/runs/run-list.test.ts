import { expect, test } from "vitest";
import type { RunRow, RunsPage } from "../../contract/index.ts";
import { withFirstPage, withOlderPage } from "./run-list.ts";
import { runRow } from "./run-rows.fixture.ts";

const row = (id: string, startedAt: number, fields: Partial<RunRow> = {}) => runRow({ id, startedAt, ...fields });
const page = (runs: readonly RunRow[], nextBefore: number | null, live: readonly RunRow[] = []): RunsPage => ({
  live: [...live],
  runs: [...runs],
  nextBefore,
  projects: [],
  models: [],
  sources: [],
});

test("an older page is added once, although pages overlap", () => {
  const list = withFirstPage(undefined, page([row("c", 30), row("b", 20)], 20));
  expect(withOlderPage(list, page([row("b", 20), row("a", 10)], null))).toEqual({
    live: [],
    runs: [row("c", 30), row("b", 20), row("a", 10)],
    nextBefore: null,
  });
});

test("a run that ended moves from the live ones to the others, and older pages stay", () => {
  const live = row("c", 30, { isLive: true, state: "running" });
  const first = withFirstPage(undefined, page([row("b", 20)], 20, [live]));
  const list = withOlderPage(first, page([row("a", 10)], null));
  expect(withFirstPage(list, page([row("c", 30), row("b", 20)], 20))).toEqual({
    live: [],
    runs: [row("c", 30), row("b", 20), row("a", 10)],
    nextBefore: null,
  });
});

test("rows that did not change stay the same objects, so that they are not drawn again", () => {
  const list = withFirstPage(undefined, page([row("b", 20), row("a", 10)], null));
  const again = withFirstPage(list, page([row("b", 20, { turns: 12 }), row("a", 10)], null));
  expect(again.runs[0]).not.toBe(list.runs[0]);
  expect(again.runs[1]).toBe(list.runs[1]);
});

test("a run that was removed is gone after the first page was loaded again", () => {
  const list = withFirstPage(undefined, page([row("b", 20), row("a", 10)], null));
  expect(withFirstPage(list, page([row("a", 10)], null)).runs).toEqual([row("a", 10)]);
});

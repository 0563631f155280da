import type { RunRow, RunsPage } from "../../contract/index.ts";

/** The runs that are loaded so far: the live ones, and the others from the newest on. */
export interface RunList {
  readonly live: readonly RunRow[];
  readonly runs: readonly RunRow[];
  /** Where older runs begin; null if all are loaded. */
  readonly nextBefore: number | null;
}

/** The list after its first page was loaded again: older pages stay, and rows that did not change stay the same. */
export function withFirstPage(list: RunList | undefined, page: RunsPage): RunList {
  if (list === undefined) return { live: page.live, runs: page.runs, nextBefore: page.nextBefore };
  const known = new Map([...list.live, ...list.runs].map((run) => [run.id, run]));
  const same = (run: RunRow) => {
    const before = known.get(run.id);
    return before !== undefined && JSON.stringify(before) === JSON.stringify(run) ? before : run;
  };
  const fresh = { live: page.live.map(same), runs: page.runs.map(same) };
  const oldest = page.runs.at(-1)?.startedAt;
  if (page.nextBefore === null || oldest === undefined) return { ...fresh, nextBefore: page.nextBefore };
  const shown = new Set([...page.live, ...page.runs].map(({ id }) => id));
  const older = list.runs.filter(({ id, startedAt }) => startedAt <= oldest && !shown.has(id));
  return {
    live: fresh.live,
    runs: [...fresh.runs, ...older],
    nextBefore: older.length === 0 ? page.nextBefore : list.nextBefore,
  };
}

/** The list with an older page at its end. */
export function withOlderPage(list: RunList, page: RunsPage): RunList {
  const shown = new Set([...list.live, ...list.runs].map(({ id }) => id));
  return {
    live: list.live,
    runs: [...list.runs, ...page.runs.filter(({ id }) => !shown.has(id))],
    nextBefore: page.nextBefore,
  };
}

import { type RunRow, type RunsPage, type RunsQuery, runsQuerySchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import { agentLabel } from "../../look-back/agent-label.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import type { ViewContext } from "../view-context.ts";
import { listedRecordings, type RecordingRows } from "./run-index/recording-rows.ts";
import { resumeContextOf, withResume } from "./run-index/resume-fields.ts";
import { mayMatch, rowMatches } from "./run-index/row-filter.ts";
import { type IndexedRun, listSessions, type SessionList } from "./run-index/run-index.ts";
import { projectOf } from "./run-index/run-row.ts";

/** A page of runs and recordings, newest first, with the live runs before them. Reads only what the page needs. */
export async function runsView(context: ViewContext, input: z.input<typeof runsQuerySchema> = {}): Promise<RunsPage> {
  const query = runsQuerySchema.parse(input);
  const list = await listSessions(context.stores, context.now());
  const recordings = await listedRecordings(context);
  const resume = await resumeContextOf(context);
  const ownLive = await liveRuns(list);
  const live = [...ownLive.map(({ row }) => row), ...(await recordings.live())];
  const liveIds = new Set(live.map(({ id }) => id));
  const candidates = [
    ...(await pastRuns(list, query)).filter(({ row }) => !liveIds.has(row.id)),
    ...(await recordings.newest(query)),
  ].toSorted((one, other) => other.row.startedAt - one.row.startedAt);
  const { page, hasMore } = pageOf(candidates, query.limit);
  const finished = page.map(({ row, summary }) => (summary === undefined ? row : withResume(row, summary, resume)));
  return {
    live: query.before === undefined ? sortedLive(live.filter((row) => rowMatches(row, query))) : [],
    runs: finished,
    nextBefore: hasMore ? (page.at(-1)?.row.startedAt ?? null) : null,
    ...filterValues(list, recordings),
  };
}

/** The runs that a process executes now. */
export async function liveRuns(list: SessionList): Promise<readonly IndexedRun[]> {
  const runs: IndexedRun[] = [];
  for (const session of list.sessions) if (list.isLive(session)) runs.push(...(await list.runsOf(session)));
  return runs.filter(({ row }) => row.isLive);
}

/** Those that wait for the user first, then the newest. */
function sortedLive(live: readonly RunRow[]): RunRow[] {
  const rank = ({ waitsFor }: RunRow) => (waitsFor === null ? 1 : 0);
  return live.toSorted((one, other) => rank(one) - rank(other) || other.startedAt - one.startedAt);
}

/** The newest runs that match, at least one more than the page has if there are more. */
async function pastRuns(list: SessionList, query: RunsQuery): Promise<readonly IndexedRun[]> {
  if (query.state === "live" || query.state === "waiting") return [];
  const { before = Number.POSITIVE_INFINITY, since = Number.NEGATIVE_INFINITY, limit } = query;
  let found: IndexedRun[] = [];
  for (const session of list.sessions) {
    const oldestNeeded = found[limit]?.row.startedAt ?? Number.NEGATIVE_INFINITY;
    if (session.updatedAt < since || session.updatedAt < oldestNeeded) break; // all following sessions are older
    if (session.createdAt >= before || !mayMatch(session, query)) continue;
    const runs = (await list.runsOf(session)).filter(({ row }) => !row.isLive && rowMatches(row, query));
    if (runs.length === 0) continue;
    found = [...found, ...runs].toSorted((one, other) => other.row.startedAt - one.row.startedAt);
  }
  return found;
}

/** The first rows. Rows with the same start as the last one belong to the same page: the next one begins after it. */
function pageOf<Entry extends { readonly row: RunRow }>(
  entries: readonly Entry[],
  limit: number,
): { readonly page: readonly Entry[]; readonly hasMore: boolean } {
  const last = entries[limit - 1]?.row.startedAt;
  const end = last === undefined ? -1 : entries.findIndex(({ row }) => row.startedAt < last);
  const page = end < 0 ? entries : entries.slice(0, end);
  return { page, hasMore: page.length < entries.length };
}

function filterValues(
  list: SessionList,
  { entries }: RecordingRows,
): Pick<RunsPage, "projects" | "models" | "sources"> {
  const runs = list.sessions.flatMap(({ lastRun }) => lastRun ?? []);
  const distinct = (values: readonly (string | null | undefined)[]) =>
    [...new Set(values.filter((value) => value !== null && value !== undefined && value !== ""))]
      .map(String)
      .toSorted();
  return {
    projects: distinct([...runs, ...entries].map(({ workspace }) => projectOf(workspace))),
    models: distinct([...runs, ...entries].map(({ model }) => model)),
    sources: distinct(
      [...(runs.length > 0 ? [ownSource] : []), ...entries.map(({ source }) => source)].map(agentLabel),
    ),
  };
}

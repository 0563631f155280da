import type { SavedRun, SessionSummary, Stores } from "@sheepdog/agent";
import { isId } from "../compose/ids.ts";
import { aroundOf } from "./list-runs.ts";
import { type RunSummary, summarizeRuns } from "./run-summary.ts";

/** A run that was asked for, or why there is none. */
export type FoundRun =
  | { readonly ok: true; readonly summary: RunSummary }
  | { readonly ok: false; readonly problem: string };

/**
 * The run that is meant by a text: `last`, the id of a run, the id of a session (its last run), or a beginning of either that fits no other.
 */
export async function findRun(stores: Stores, text: string, at: number): Promise<FoundRun> {
  if (!isId(text))
    return {
      ok: false,
      problem:
        "that is no id of a run or a session: it has letters, digits, - and _ only, as `sheepdog runs` shows them",
    };
  const summaries = await stores.sessions.list();
  const found = text === "last" ? lastOf(summaries) : await meant(stores, summaries, text);
  if (typeof found === "string") return { ok: false, problem: found };
  const runs = await summarizeRuns(found.summary, aroundOf(stores, summaries, at));
  const kept = runs.find(({ run }) => run.runId === found.runId);
  return kept === undefined ? { ok: false, problem: none(text) } : { ok: true, summary: kept };
}

interface Place {
  readonly summary: SessionSummary;
  readonly runId: string;
}

function lastOf(summaries: readonly SessionSummary[]): Place | string {
  for (const summary of summaries)
    if (summary.lastRun !== undefined && summary.lastRun.billingSessionId === undefined)
      return { summary, runId: summary.lastRun.runId };
  return "there are no runs yet";
}

async function meant(stores: Stores, summaries: readonly SessionSummary[], text: string): Promise<Place | string> {
  const exact = summaries.find(
    ({ sessionId, lastRun }) => lastRun !== undefined && (sessionId === text || lastRun.runId === text),
  );
  if (exact?.lastRun !== undefined) return { summary: exact, runId: exact.lastRun.runId };
  const places = summaries.flatMap((summary) => placesOf(summary, summary.lastRun, text));
  const older = (await stores.costs.sums("run"))
    .map(({ key }) => key)
    .filter((runId) => runId.startsWith(text) && !places.some((place) => place.runId === runId));
  if (places.length + older.length > 1) return several(text, [...places.map(({ id }) => id), ...older]);
  return places[0] ?? (await earlierRun(stores, summaries, text)) ?? none(text);
}

/** The session by its own id or by that of its last run. */
function placesOf(
  summary: SessionSummary,
  lastRun: SavedRun | undefined,
  text: string,
): readonly (Place & { readonly id: string })[] {
  if (lastRun === undefined) return [];
  const id = [summary.sessionId, lastRun.runId].find((each) => each.startsWith(text));
  return id === undefined ? [] : [{ summary, runId: lastRun.runId, id }];
}

/** A list of sessions knows their last runs only: the others have to be looked for. */
async function earlierRun(
  stores: Stores,
  summaries: readonly SessionSummary[],
  text: string,
): Promise<Place | undefined> {
  for (const summary of summaries) {
    const run = (await stores.sessions.load(summary.sessionId)).runs.find(({ runId }) => runId.startsWith(text));
    if (run !== undefined) return { summary, runId: run.runId };
  }
  return undefined;
}

function none(text: string): string {
  return `there is no run or session ${text}; \`sheepdog runs\` lists them`;
}

const namedAtMost = 5;

function several(text: string, ids: readonly string[]): string {
  const more = ids.length > namedAtMost ? `, and ${ids.length - namedAtMost} more` : "";
  return `${text} could be ${ids.slice(0, namedAtMost).join(", ")}${more}; write more of it`;
}

import type { Policy } from "@sheepdog/guardian";
import type { RunRow, RunsQuery } from "@sheepdog/web/contract";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { attachedState } from "../../../look-back/attached/attached-state.ts";
import { isGoodOutcome } from "../../../look-back/good-outcome.ts";
import type { RecordingEntry, RecordingLibrary } from "../../../recordings/recording-library.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { firstSentence, taskText } from "../../../sentences/first-sentence.ts";
import { say } from "../../../sentences/say.ts";
import { shortened } from "../../../sentences/shortened.ts";
import type { ViewContext } from "../../view-context.ts";
import { policyFor } from "../run-data/load-run.ts";
import { recordedRunData } from "../run-data/recorded-run-data.ts";
import { rowMatches } from "./row-filter.ts";
import { projectOf, runRow } from "./run-row.ts";

/** The recordings of other agents, for the list of runs. */
export interface RecordingRows {
  readonly entries: readonly RecordingEntry[];
  /** Sessions of attached agents that are being recorded. */
  live(): Promise<readonly RunRow[]>;
  /** The newest rows of the others that match, at least one more than the page has if there are more. */
  newest(query: RunsQuery): Promise<readonly { readonly row: RunRow; readonly summary: undefined }[]>;
}

interface CachedRow {
  readonly stamp: string;
  readonly row: RunRow;
}

const MAX_ROWS = 5_000;
/** Milliseconds that one page may spend on analyzing. The other rows have what the list of recordings says. */
const MAX_ANALYZING_MS = 1_500;
const caches = new WeakMap<RecordingLibrary, Map<string, CachedRow>>();

/** Lists the recordings. They are analyzed when a page shows them, and kept in memory. */
export async function listedRecordings(context: ViewContext): Promise<RecordingRows> {
  const entries = await context.recordings.list();
  const cache = caches.get(context.recordings) ?? new Map<string, CachedRow>();
  caches.set(context.recordings, cache);
  const isRunning = (entry: RecordingEntry) => isLive(stateOf(entry, context.now()));
  return {
    entries,
    async live() {
      const rowOf = createRowReader(context, cache, await policyFor(context, context.cwd));
      return Promise.all(entries.filter(isRunning).map(rowOf));
    },
    async newest(query) {
      if (query.state === "live" || query.state === "waiting" || entries.length === 0) return [];
      const policy = await policyFor(context, context.cwd);
      const rowOf = createRowReader(context, cache, policy);
      const byStart = entries.toSorted((one, other) => startOf(other) - startOf(one));
      const { text: _text, guardian: _guardian, minCostUsd: _min, maxCostUsd: _max, state: _state, ...cheap } = query;
      const rows: { row: RunRow; summary: undefined }[] = [];
      for (const entry of byStart) {
        const oldestNeeded = rows[query.limit]?.row.startedAt ?? Number.NEGATIVE_INFINITY;
        // Those with the same start belong to the same page: recordings without times all start at 0.
        if (startOf(entry) < oldestNeeded || rows.length >= MAX_ROWS) break;
        if (isRunning(entry) || !rowMatches(listedRow(entry, context.now()), cheap)) continue;
        const row = await rowOf(entry);
        if (rowMatches(row, query)) rows.push({ row, summary: undefined });
      }
      return rows;
    },
  };
}

function createRowReader(
  { recordings: library, now }: ViewContext,
  cache: Map<string, CachedRow>,
  policy: Policy,
): (entry: RecordingEntry) => Promise<RunRow> {
  const endBy = performance.now() + MAX_ANALYZING_MS;
  return async (entry) => {
    const stamp = JSON.stringify([
      entry.endedAt,
      entry.turns,
      entry.calls,
      entry.costUsd,
      entry.guardian?.lastAt,
      stateOf(entry, now()),
      policy.name,
      policy.detectors,
    ]);
    const cached = cache.get(entry.id);
    if (cached?.stamp === stamp) return cached.row;
    if (performance.now() > endBy) return listedRow(entry, now());
    const recording = await library.load(entry.id);
    if (recording === undefined) return listedRow(entry, now());
    const row = runRow(await recordedRunData({ entry, recording, policy, now: now() }));
    cache.set(entry.id, { stamp, row });
    const [oldest] = cache.keys();
    if (cache.size > MAX_ROWS && oldest !== undefined) cache.delete(oldest);
    return row;
  };
}

/** A row from the list of recordings alone. */
function listedRow(entry: RecordingEntry, now: number): RunRow {
  const state = stateOf(entry, now);
  const prompt = entry.task ?? "";
  const task = firstSentence(prompt, 90);
  return {
    id: entry.id,
    kind: "recording",
    source: agentLabel(entry.source),
    sessionId: "",
    sentence: say`Recording: ${task.length === 0 ? `${entry.turns} turns` : task}`,
    doing: null,
    prompt: shortened(prompt, 500),
    task: taskText(prompt),
    state,
    reason: entry.outcome ?? null,
    isLive: isLive(state),
    isDemo: false,
    waitsFor: null,
    project: projectOf(entry.workspace),
    workspace: entry.workspace ?? null,
    model: entry.model ?? null,
    startedAt: startOf(entry),
    endedAt: entry.endedAt ?? null,
    turns: entry.turns,
    costUsd: entry.costUsd ?? null,
    limitUsd: null,
    loopUsd: null,
    guardian: null,
    goal: null,
    spark: null,
    resumeCommand: null,
    resumeProblem: null,
    canFork: false,
  };
}

function stateOf({ guardian, outcome }: RecordingEntry, now: number): RunRow["state"] {
  if (guardian !== undefined) return attachedState({ guardian, outcome }, now).state;
  return outcome === undefined || isGoodOutcome(outcome) ? "completed" : "error";
}

function startOf({ startedAt }: RecordingEntry): number {
  return startedAt !== undefined && Number.isFinite(startedAt) ? startedAt : 0;
}

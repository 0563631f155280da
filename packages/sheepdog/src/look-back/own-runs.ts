import { basename } from "node:path";
import type { SavedRun, SessionSummary, Stores } from "@sheepdog/agent";
import type { RecordedRun } from "@sheepdog/records";
import { isDemoSession } from "../compose/ids.ts";
import { ownSource, recordedRunOf } from "../recordings/saved-run-recording.ts";
import { numberedCalls } from "../saved-runs/notice-effect.ts";
import { readableEvents } from "../saved-runs/readable-events.ts";
import type { Loop } from "../saved-runs/trace/loops.ts";
import { paidLoops } from "../saved-runs/trace/paid-loops.ts";
import type { AnalyzedRun } from "./analyzed-run.ts";

/** Whether a session has runs to analyze. Each subagent has a session of its own, so its costs are counted once. */
export function hasRuns({ sessionId, lastRun }: SessionSummary): boolean {
  return lastRun !== undefined && !isDemoSession(sessionId);
}

/** Changes when a run of the session has ended, or when one broke off: a run that is running is not analyzed. */
export function sessionVersion({ lastRun, holder, updatedAt }: SessionSummary): string {
  const end = lastRun?.endedAt ?? (holder === undefined ? `broken off ${updatedAt}` : "running");
  return `${lastRun?.runId} ${end}`;
}

/** A saved run with its recording and its loops. */
export interface OwnRun {
  readonly run: Omit<AnalyzedRun, "facts">;
  /** The folder in which its tools worked. */
  readonly folder: string | null;
  readonly recording: RecordedRun;
  /** The loops that the guardian noticed. */
  readonly loops: readonly Loop[];
}

/** The runs of a session that have ended, except those that are known. */
export async function* ownRuns(
  stores: Stores,
  { sessionId, holder }: SessionSummary,
  isKnown: (runId: string) => boolean,
): AsyncGenerator<OwnRun> {
  const saved = await stores.sessions.load(sessionId);
  const wanted = saved.runs.filter((run) => isOver(run, holder !== undefined) && !isKnown(run.runId));
  if (wanted.length === 0) return;
  const { events } = readableEvents(await stores.events.after(sessionId, 0));
  const calls = numberedCalls(saved.messages);
  for (const run of wanted) {
    const loops = paidLoops(run.runId, events, calls).loops.map(({ loop }) => loop);
    yield { run: ownRun(run), folder: run.workspace || null, recording: recordedRunOf({ run, saved, events }), loops };
  }
}

function isOver({ endedAt }: SavedRun, isHeld: boolean): boolean {
  return endedAt !== undefined || !isHeld;
}

function ownRun({ runId, workspace, startedAt, endedAt, state }: SavedRun): Omit<AnalyzedRun, "facts"> {
  return {
    id: runId,
    source: ownSource,
    project: workspace === undefined || workspace === "" ? null : basename(workspace) || workspace,
    at: endedAt ?? startedAt,
    isGood: state === "completed",
  };
}

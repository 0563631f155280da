import { isLeaseActive, type SessionSummary } from "@sheepdog/agent";
import type { Budgets } from "@sheepdog/web/contract";
import { type NoticedLoop, utcDay } from "./noticed-loops.ts";
import type { SessionDigest } from "./session-digests.ts";

type LoopRow = Budgets["loops"][number];

const MAX_LOOPS = 20;

/** The dearest loops since a time, dearest first. Those of unknown cost are left out. */
export function dearestLoops(
  digests: readonly SessionDigest[],
  sessions: readonly SessionSummary[],
  { since, now }: { readonly since: number; readonly now: number },
): readonly LoopRow[] {
  const liveRuns = liveRunIds(sessions, now);
  return digests
    .flatMap((digest) => digest.loops.map((loop) => ({ digest, loop })))
    .map(({ digest, loop }) => ({ digest, loop, nanoUsd: spentSince(loop, utcDay(since)) }))
    .filter(({ nanoUsd }) => nanoUsd > 0)
    .toSorted((a, b) => b.nanoUsd - a.nanoUsd || b.loop.at - a.loop.at)
    .slice(0, MAX_LOOPS)
    .map(({ digest, loop, nanoUsd }) => ({
      what: loop.what,
      isCommand: loop.isCommand,
      times: loop.times,
      usd: nanoUsd / 1e9,
      at: loop.at,
      endedBy: endedBy(loop, digest, liveRuns),
      runId: loop.runId,
      seq: loop.seq,
    }));
}

/** What a loop cost from a day on, as the sums of days count it. */
function spentSince({ parts }: NoticedLoop, fromDay: string): number {
  return parts.reduce((sum, { day, nanoUsd }) => (day >= fromDay ? sum + nanoUsd : sum), 0);
}

/** The runs that a process is running now. */
function liveRunIds(sessions: readonly SessionSummary[], now: number): ReadonlySet<string> {
  return new Set(
    sessions.flatMap(({ holder, renewedAt, lastRun }) => {
      if (holder === undefined || lastRun === undefined || lastRun.endedAt !== undefined) return [];
      return isLeaseActive(holder, renewedAt ?? now, now) ? [lastRun.runId] : [];
    }),
  );
}

const limitReasons: ReadonlySet<string> = new Set([
  "context_budget",
  "token_budget",
  "run_budget",
  "session_budget",
  "day_budget",
  "month_budget",
  "max_turns",
  "timeout",
]);

function endedBy(
  { runId, isRecovered, hasEndedRun }: NoticedLoop,
  { runs, stoppedByUser }: SessionDigest,
  liveRuns: ReadonlySet<string>,
): LoopRow["endedBy"] {
  if (isRecovered) return "recovered";
  if (liveRuns.has(runId)) return "running";
  const reason = runs.find((run) => run.runId === runId)?.reason;
  if (reason === "cancelled" || stoppedByUser.has(runId)) return "user";
  if (hasEndedRun) return "guardian";
  return reason !== undefined && limitReasons.has(reason) ? "limit" : "run ended";
}

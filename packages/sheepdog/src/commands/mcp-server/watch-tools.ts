import { setTimeout } from "node:timers/promises";
import { savedItems } from "@sheepdog/agent/timeline";
import { listRuns } from "../../saved-runs/list-runs.ts";
import { readableEvents } from "../../saved-runs/readable-events.ts";
import { isoTime } from "../../saved-runs/run-document.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { type ShortItem, shortItem } from "./short-item.ts";
import { isInRoots, isMcpSession, type ToolServer, visibleRun } from "./tool-server.ts";

const pollMs = 500;
const maxItems = 50;

/** Lists runs in the roots, the newest first. */
export async function listVisibleRuns(
  { context, roots }: ToolServer,
  { limit, live_only: isLiveOnly }: { readonly limit: number; readonly live_only: boolean },
): Promise<unknown> {
  const { runs, hasMore } = await listRuns(context.stores, {
    at: context.now(),
    limit,
    isHeldOnly: isLiveOnly,
    isWanted: ({ run, state }) =>
      run.workspace !== undefined && isInRoots(roots, run.workspace) && (!isLiveOnly || isLive(state)),
  });
  return { runs: runs.map(runFacts), has_more: hasMore };
}

/** A run with the newest steps of its timeline. */
export async function showVisibleRun(server: ToolServer, id: string, steps: number): Promise<unknown> {
  const summary = await visibleRun(server, id);
  const items = await itemsOf(server, summary);
  const end = items.findLast(({ type }) => type === "end");
  return { ...runFacts(summary), answer: end?.text ?? null, steps: steps === 0 ? [] : items.slice(-steps) };
}

/** Waits for the next step of a run, for a bounded time. */
export async function watchVisibleRun(
  server: ToolServer,
  { run_id: id, after, wait_secs: waitSecs }: { run_id: string; after: number; wait_secs: number },
  signal: AbortSignal,
): Promise<unknown> {
  const { stores, now } = server.context;
  const until = now() + waitSecs * 1_000;
  let summary = await visibleRun(server, id);
  for (;;) {
    const isEnded = !isLive(summary.state);
    const newest = (await stores.events.after(summary.sessionId, after)).at(-1)?.seq ?? after;
    const items = newest > after || isEnded ? await itemsOf(server, summary) : [];
    const unseen = nextSteps(items, after, maxItems);
    if (unseen.length > 0 || isEnded || now() >= until || signal.aborted) {
      const isAll = unseen.length < maxItems;
      const next = isAll ? newest : (unseen.at(-1)?.seq ?? newest);
      return { ...runFacts(summary), has_ended: isEnded && isAll, steps: unseen, next };
    }
    await setTimeout(pollMs, undefined, { signal }).catch(() => {}); // ends early when the client cancels
    summary = await visibleRun(server, id);
  }
}

/** The first steps after an event, in the order of their ends: calls are listed where they began. */
export function nextSteps(items: readonly ShortItem[], after: number, max: number): readonly ShortItem[] {
  return items
    .filter(({ seq, status }) => seq > after && status !== "running")
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, max);
}

/** The steps of a run, each with the number of the event that completed it. Calls that still run come last. */
async function itemsOf({ context }: ToolServer, { sessionId, run }: RunSummary): Promise<readonly ShortItem[]> {
  const { events } = readableEvents(await context.stores.events.after(sessionId, 0));
  const ends = new Map(events.flatMap((event) => (event.type === "ToolEnd" ? [[event.callId, event.seq]] : [])));
  return savedItems(events, run.runId).flatMap((item) => {
    const seq = item.type === "call" ? ends.get(item.callId) : undefined;
    const short = shortItem(item);
    return short === undefined ? [] : [seq === undefined ? short : { ...short, seq }];
  });
}

function runFacts({ sessionId, run, state, turns, costNanoUsd, interventions }: RunSummary): Record<string, unknown> {
  return {
    run_id: run.runId,
    session_id: sessionId,
    started_over_mcp: isMcpSession(sessionId),
    state,
    reason: run.reason ?? null,
    prompt: run.prompt.slice(0, 300),
    folder: run.workspace ?? null,
    model: run.model ?? null,
    started_at: isoTime(run.startedAt),
    ended_at: run.endedAt === undefined ? null : isoTime(run.endedAt),
    turns,
    cost_usd: costNanoUsd === null ? null : costNanoUsd / 1e9,
    guardian: { interventions: interventions.count, highest: interventions.highest ?? null },
  };
}

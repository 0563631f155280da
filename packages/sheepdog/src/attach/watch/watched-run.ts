import { realpathSync } from "node:fs";
import type { HookAgent, SpoolLine } from "@sheepdog/integrations/hooks";
import type { Home } from "../../home.ts";
import { type HookActivity, hookActivity } from "../hook-activity.ts";
import { isBelow } from "../is-below.ts";
import { lastLines, type Spool, spoolsOf } from "../spools.ts";

/** What hooks saw of an agent in a folder since a time. */
export interface WatchedRun {
  readonly spools: readonly Spool[];
  readonly turns: number;
  readonly calls: number;
  /** Calls that were not executed because the guardian refused them. */
  readonly refusedCalls: number;
  /** Null if a price is unknown, or nothing is known about usage. */
  readonly costNanoUsd: number | null;
  /** The cost of the loops that the guardian ended, until then. */
  readonly endedLoopsNanoUsd: number;
  readonly activity: HookActivity;
}

const MAX_BYTES = 50_000_000;

/** Reads what was seen. */
export function watchedRun(
  home: Home,
  { agent, cwd, since }: { readonly agent: HookAgent; readonly cwd: string; readonly since: number },
): WatchedRun {
  const sessions = spoolsOf(home, agent)
    .filter(({ changedAt }) => changedAt >= since)
    .map((spool) => ({ spool, lines: lastLines(spool, MAX_BYTES) }))
    .filter(({ lines }) => lines.some((line) => line.type === "session" && isIn(line.cwd, cwd)));
  const all = sessions.flatMap(({ lines }) => lines);
  const lines = all.filter(({ at }) => at >= since);
  const costs = sessions.map((session) => costSince(session.lines, since));
  return {
    spools: sessions.map(({ spool }) => spool),
    turns: lines.filter(({ type }) => type === "turn-end").length,
    calls: lines.filter(({ type }) => type === "call").length,
    refusedCalls: lines.filter((line) => line.type === "answer" && line.parts.includes("deny")).length,
    costNanoUsd:
      costs.length === 0 || costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    endedLoopsNanoUsd: lines.reduce((sum, line) => sum + loopCost(line), 0),
    activity: hookActivity(lines),
  };
}

/** A resumed session has used something before. */
function costSince(lines: readonly SpoolLine[], since: number): number | null {
  const totals = lines.filter((line) => line.type === "usage");
  const before = totals.findLast(({ at }) => at < since)?.costNanoUsd ?? 0;
  const last = totals.at(-1)?.costNanoUsd ?? null;
  return last === null ? null : last - before;
}

function loopCost(line: SpoolLine): number {
  if (line.type !== "intervention" || !line.intervention.isApplied || line.intervention.level !== "halt") return 0;
  return line.intervention.costNanoUsd ?? 0;
}

function isIn(folder: string | undefined, cwd: string): boolean {
  return folder !== undefined && isBelow(realFolder(folder), realFolder(cwd));
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // it was removed meanwhile
  }
}

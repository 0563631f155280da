import { basename } from "node:path";
import type { CostSum, SessionSummary } from "@sheepdog/agent";
import type { Budgets } from "@sheepdog/web/contract";
import { add, split } from "./spending-split.ts";

/** What was spent in each workspace, dearest first. Sessions that are gone, or had no workspace, are one project. */
export function projectSpending(
  sums: readonly CostSum[],
  loops: ReadonlyMap<string, number>,
  sessions: readonly SessionSummary[],
): Budgets["projects"] {
  const workspaces = new Map(sessions.map(({ sessionId, lastRun }) => [sessionId, lastRun?.workspace ?? ""]));
  const spent = new Map<string, number>();
  const inLoops = new Map<string, number>();
  for (const { key, costNanoUsd } of sums) {
    const workspace = workspaces.get(key) ?? "";
    add(spent, workspace, costNanoUsd);
    add(inLoops, workspace, Math.min(loops.get(key) ?? 0, costNanoUsd));
  }
  return [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .map(([workspace, costNanoUsd]) => ({
      project: workspace === "" ? "other sessions" : basename(workspace) || workspace,
      workspace: workspace === "" ? null : workspace,
      ...split(costNanoUsd, inLoops.get(workspace)),
    }));
}

import type { RunDetail } from "@sheepdog/web/contract";
import { conditionText } from "../../../render/graph/condition-text.ts";
import { type PlanGraph, planGraphs } from "../../../render/graph/plan-graph.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { toUsd } from "../../../sentences/amount-text.ts";
import type { RunTree } from "../run-index/run-index.ts";

/** The plans of a director, oldest first. */
export function planViews({ events, summary, subagents }: RunTree): RunDetail["plans"] {
  const runs = new Map(
    subagents.map(({ summary: { sessionId, run, costNanoUsd } }) => [
      sessionId,
      { startedAt: run.startedAt, endedAt: run.endedAt, costNanoUsd },
    ]),
  );
  const runIds = new Map(subagents.map(({ summary: { sessionId, run } }) => [sessionId, run.runId]));
  return planGraphs(events, { runs, isLive: isLive(summary.state) }).map((graph) => planView(graph, runIds));
}

function planView(
  { cycle, diagnosis, nodes, edges }: PlanGraph,
  runIds: ReadonlyMap<string, string>,
): RunDetail["plans"][number] {
  return {
    cycle,
    diagnosis: diagnosis ?? null,
    nodes: nodes.map((node) => ({
      id: node.id,
      title: node.title,
      stage: node.stage,
      state: node.state,
      isKept: node.isKept,
      runId: node.sessionId === undefined ? null : (runIds.get(node.sessionId) ?? null),
      costUsd: toUsd(node.costNanoUsd),
      startedAt: node.startedAt ?? null,
      endedAt: node.endedAt ?? null,
      problem: node.problem ?? null,
    })),
    edges: edges.map(({ from, to, when }) => ({ from, to, when: conditionText(when) ?? "success" })),
  };
}

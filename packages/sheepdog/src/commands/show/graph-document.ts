import type { PlanGraph, PlanGraphNode } from "../../render/graph/plan-graph.ts";
import { isoTime } from "../../saved-runs/run-document.ts";

/** A plan as JSON. Money is in dollars, and null if there was no cost or a price is unknown. */
export function graphDocument({ cycle, nodes, edges, diagnosis }: PlanGraph): Readonly<Record<string, unknown>> {
  return {
    cycle,
    diagnosis: diagnosis ?? null,
    nodes: nodes.map(nodeDocument),
    edges: edges.map(({ from, to, when = "success" }) => ({ from, to, when })),
  };
}

function nodeDocument(node: PlanGraphNode): Readonly<Record<string, unknown>> {
  const { id, title, stage, state, isKept, inputs, outputs, tools, model } = node;
  const { sessionId, reason, problem, costNanoUsd, startedAt, endedAt } = node;
  return {
    id,
    title,
    stage,
    state,
    isKept,
    inputs,
    outputs,
    tools: tools ?? null,
    model: model ?? null,
    sessionId: sessionId ?? null,
    reason: reason ?? null,
    problem: problem ?? null,
    costUsd: costNanoUsd === undefined || costNanoUsd === null ? null : costNanoUsd / 1e9,
    startedAt: startedAt === undefined ? null : isoTime(startedAt),
    endedAt: endedAt === undefined ? null : isoTime(endedAt),
  };
}

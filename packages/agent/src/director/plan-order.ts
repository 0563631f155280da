import type { EdgeCondition, NodeStatus, Plan, PlanEdge } from "../protocol/plan.ts";

/** A node that ended, or that will not run. */
export interface EndedNode {
  readonly status: NodeStatus;
  /** Whether a comparison with one of its outputs holds. */
  compare(condition: Extract<EdgeCondition, object>): boolean;
}

/** What to do with a node that has not ended. */
export type NodeStep = "wait" | "run" | "skip" | "block";

/**
 * A node waits until every node before it has ended. It runs if at least one edge to it is taken. It is blocked if a
 * node before it failed and no other node handles that failure; it is skipped if no edge to it is taken.
 */
export function nodeStep(id: string, { edges }: Plan, ended: ReadonlyMap<string, EndedNode>): NodeStep {
  const incoming = edges.filter(({ to }) => to === id);
  if (incoming.length === 0) return "run";
  if (incoming.some(({ from }) => !ended.has(from))) return "wait";
  const states = incoming.map((edge) => edgeState(edge, edges, ended));
  if (states.includes("broken")) return "block";
  return states.includes("taken") ? "run" : "skip";
}

/** Whether a failed node has a taken edge: the plan continues in another way. */
export function isHandled(id: string, { edges }: Plan): boolean {
  return edges.some(({ from, when }) => from === id && (when === "failure" || when === "always"));
}

type EdgeState = "taken" | "not-taken" | "broken";

function edgeState(
  { from, when = "success" }: PlanEdge,
  edges: readonly PlanEdge[],
  ended: ReadonlyMap<string, EndedNode>,
): EdgeState {
  const source = ended.get(from);
  switch (source?.status) {
    case "succeeded":
      if (typeof when === "object") return source.compare(when) ? "taken" : "not-taken";
      return when === "failure" ? "not-taken" : "taken";
    case "failed":
      if (when === "failure" || when === "always") return "taken";
      return isHandled(from, { nodes: [], edges }) ? "not-taken" : "broken";
    case "blocked":
    case "interrupted":
      return "broken";
    default:
      return "not-taken"; // skipped
  }
}

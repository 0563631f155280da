import type { PlanEdge } from "../protocol/plan.ts";
import { counted } from "./amount-text.ts";

/**
 * The stage of each node, from 1: one more than the highest stage of the nodes before it. Nodes of one stage do not
 * depend on each other. Edges to unknown nodes are ignored; nodes of a cycle share the last stage.
 */
export function stagesOf(
  nodes: readonly { readonly id: string }[],
  edges: readonly PlanEdge[],
): ReadonlyMap<string, number> {
  const ids = new Set(nodes.map(({ id }) => id));
  const known = edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const open = new Map([...ids].map((id) => [id, 0])); // edges from nodes without a stage
  const followers = new Map<string, string[]>();
  for (const { from, to } of known) {
    open.set(to, (open.get(to) ?? 0) + 1);
    followers.set(from, [...(followers.get(from) ?? []), to]);
  }
  const stages = new Map<string, number>();
  let current = [...ids].filter((id) => open.get(id) === 0);
  let stage = 0;
  while (current.length > 0) {
    stage += 1;
    const next: string[] = [];
    for (const id of current) {
      stages.set(id, stage);
      for (const follower of followers.get(id) ?? []) {
        const left = (open.get(follower) ?? 0) - 1;
        open.set(follower, left);
        if (left === 0) next.push(follower);
      }
    }
    current = next;
  }
  for (const id of ids) if (!stages.has(id)) stages.set(id, stage + 1);
  return stages;
}

/** The size of a plan: `7 nodes in 4 stages of up to 3`. The last number is the size of the largest stage. */
export function planSize(nodes: readonly { readonly id: string }[], edges: readonly PlanEdge[]): string {
  const stages = [...stagesOf(nodes, edges).values()];
  const count = Math.max(0, ...stages);
  const widest = Math.max(0, ...Array.from({ length: count }, (_, index) => sizeOf(stages, index + 1)));
  if (nodes.length <= 1) return counted(nodes.length, "node");
  const size = `${counted(nodes.length, "node")} in ${counted(count, "stage")}`;
  return widest > 1 ? `${size} of up to ${widest}` : `${size}, one after the other`;
}

function sizeOf(stages: readonly number[], stage: number): number {
  return stages.filter((each) => each === stage).length;
}

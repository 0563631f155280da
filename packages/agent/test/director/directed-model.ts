import type { Model } from "@sheepdog/agent";
import { type ModelRequest, type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";

/** A node of a scripted plan; its prompt is "Do <id>." unless another one is given. */
export interface ScriptedNode {
  readonly id: string;
  readonly prompt?: string;
  readonly [field: string]: unknown;
}

/** A turn that calls `execute_plan`. Edges are written "a > b". */
export function planTurn(
  nodes: readonly (string | ScriptedNode)[],
  edges: readonly (string | object)[] = [],
  more: { readonly diagnosis?: string } = {},
): ScriptedTurn {
  const input = {
    nodes: nodes.map((node) =>
      typeof node === "string" ? { id: node, prompt: `Do ${node}.` } : { prompt: `Do ${node.id}.`, ...node },
    ),
    edges: edges.map((edge) => {
      if (typeof edge !== "string") return edge;
      const [from = "", to = ""] = edge.split(" > ");
      return { from, to };
    }),
    ...more,
  };
  return { calls: [{ tool: "execute_plan", input }] };
}

/** How the model works on a node. `step`: how many replies the node has had. */
export type NodeScript = (id: string, step: number, request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>;

/**
 * A model for a director and its nodes: it plans by a script, one turn after the other, and works on the nodes that it
 * finds in a request. It keeps nothing between requests, so that a crashed run can be resumed with another one.
 */
export function directedModel(
  plans: readonly ScriptedTurn[],
  work: NodeScript,
  options: { readonly modelId?: string } = {},
): Model & { readonly requests: readonly ModelRequest[] } {
  return scriptedModel([], {
    ...options,
    afterLast(request) {
      const replies = request.prompt.filter(({ role }) => role === "assistant").length;
      if (request.text.includes("<director>")) return plans[replies] ?? { text: "The report is done." };
      const id = /Do (\w+)\./.exec(request.text)?.[1];
      return work(id ?? "", replies, request);
    },
  });
}

/** A node that answers at once. */
export const answers: NodeScript = (id) => ({ text: `${id} is done` });

/** A reply with which a node fails. */
export const fails: ScriptedTurn = { text: "I will not.", stop: "refused" };

import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";

/**
 * How much harm a call could do: 0 reads, 1 writes in the workspace, 2 runs code there, 3 reaches beyond it,
 * 4 is destructive or not fully understood.
 */
export type Tier = 0 | 1 | 2 | 3 | 4;

/** The gate's decision about a call, always with a reason. */
export interface GateDecision {
  readonly tier: Tier;
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
}

/** Decides about each call before it is executed. */
export interface Gate {
  decide(call: CallPart, tool: Tool, context: { readonly workspace: string }): Promise<GateDecision>;
}

import type { CallPart } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";

/** How much harm a call could do: 0 reads, 1 writes in the workspace, 2 runs code there, 3 reaches beyond it, 4 is not fully understood or destructive. */
export type Tier = 0 | 1 | 2 | 3 | 4;

/** What the gate says of a call, always with its reason. */
export interface GateDecision {
  readonly tier: Tier;
  readonly decision: "allow" | "ask" | "deny";
  readonly reason: string;
}

/** Asked before a call is executed. */
export interface Gate {
  decide(call: CallPart, tool: Tool, context: { readonly workspace: string }): Promise<GateDecision>;
}

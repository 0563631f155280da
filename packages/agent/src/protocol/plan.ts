/** A plan of a director: runs that depend on one another, as a graph without cycles. */
export interface Plan {
  readonly nodes: readonly PlanNode[];
  readonly edges: readonly PlanEdge[];
}

/** One run of a plan. */
export interface PlanNode {
  /** Letters, digits, "_" and "-"; unique in the plan. */
  readonly id: string;
  readonly prompt: string;
  /** Names of outputs of earlier nodes that the run reads. */
  readonly inputs?: readonly string[];
  /** Names of the outputs; default: one, named like the node. The answer is the output; several are marked in it. */
  readonly outputs?: readonly string[];
  /** The only tools it may use; default: all tools of the runtime. */
  readonly tools?: readonly string[];
  readonly goal?: NodeGoal;
  /** The id of the model; default: the model of the runtime. */
  readonly model?: string;
  readonly maxTurns?: number;
}

/** The goal of a node: what the model may ask for. */
export interface NodeGoal {
  readonly text: string;
  /** The answer has to contain each of these texts. */
  readonly contains?: readonly string[];
}

/** `to` may start after `from`, if the condition holds. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
  /** Default: `success`. */
  readonly when?: EdgeCondition;
}

/** The end of `from` that an edge waits for, or a comparison with one of its outputs after a success. */
export type EdgeCondition =
  | "success"
  | "failure"
  | "always"
  | { readonly output: string; readonly equals: string }
  | { readonly output: string; readonly notEquals: string }
  | { readonly output: string; readonly contains: string };

/** How a node ended. `interrupted`: the run was ended, and a later one continues the node. */
export type NodeStatus = "succeeded" | "failed" | "skipped" | "blocked" | "interrupted";

/** What a run has to achieve. */
export interface Goal {
  readonly text: string;
  /** Deterministic checks; all of them have to pass. */
  readonly criteria?: readonly Criterion[];
}

/** A check of the agent's output. */
export type Criterion =
  | { readonly type: "OutputContains"; readonly text: string }
  | { readonly type: "OutputEquals"; readonly text: string };

/** The judge's decision: goal reached, try again with a hint, escalate to the user, or continue. */
export type Verdict =
  | { readonly type: "accept" }
  | { readonly type: "retry"; readonly hint: string }
  | { readonly type: "escalate"; readonly reason: string }
  | { readonly type: "continue" };

/** What a model says about whether a call fits the principles. It never makes a decision laxer. */
export interface GateReasoning {
  readonly verdict: "fits" | "does not fit" | "unsure";
  /** One sentence of the model, or why there is none. */
  readonly reason: string;
  /** Absent if no model was asked. */
  readonly model?: string;
  /** Null if the price is unknown. */
  readonly costNanoUsd?: number | null;
}

/** The values for the configuration file. */
export interface Answers {
  /** Undefined if no model was found or named. */
  readonly model?: { readonly provider: string; readonly modelId: string; readonly baseUrl?: string };
  /** The address of the model is plain http to another machine, which needs `security.allow_plain_http`. */
  readonly isPlainHttpAllowed?: true;
  /** The month budget; 0: no limit. */
  readonly monthlyCents: number;
  /** The price of a model that has no listed one, in cents per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** The default month budget. */
export const defaultMonthlyCents = 2_000;

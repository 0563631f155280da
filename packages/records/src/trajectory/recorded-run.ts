/** One tool call with its result, as it was recorded. */
export interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
  readonly result: unknown;
  /** null where the source does not say. */
  readonly isError: boolean | null;
  /** Milliseconds since 1970, when the call was made. */
  readonly at?: number;
}

/** What a step's model request used. Costs are recorded, never guessed. */
export interface RecordedUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

/** One model reply and the calls it made. */
export interface RecordedStep {
  readonly turn: number;
  readonly text: string;
  /** A person spoke just before this step. */
  readonly user?: true;
  readonly agent?: string;
  readonly at?: number;
  readonly usage?: RecordedUsage;
  readonly calls: readonly RecordedCall[];
}

/** What an agent left behind of one prompt worked off. */
export interface RecordedRun {
  readonly id: string;
  readonly source?: string;
  readonly model?: string;
  readonly task?: string;
  readonly outcome?: string;
  readonly steps: readonly RecordedStep[];
}

/** A part of what a step produced: text, a call, its result or its error. */
export interface StepPart {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
}

/** The tokens of a step. */
export interface StepUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails?: {
    readonly cacheReadTokens?: number | undefined;
    readonly cacheWriteTokens?: number | undefined;
  };
}

/** What the guard reads of a finished step. The `StepResult` of AI SDK 6 and 7 has it. */
export interface FinishedStep {
  readonly content: readonly StepPart[];
  readonly text: string;
  readonly toolCalls: readonly unknown[];
  readonly usage: StepUsage;
  readonly response: { readonly modelId?: string };
}

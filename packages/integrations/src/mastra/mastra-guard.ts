import type { LoopGuard } from "../guard/loop-guard.ts";

/** The guardian inside an agent of Mastra: one for each agent, for any number of runs. */
export interface MastraGuard {
  /** The option `hooks` of an agent. */
  readonly hooks: MastraHooks;
  /** One of the `inputProcessors` of an agent. */
  readonly processor: MastraProcessor;
  /** The guard of the newest run with this request context: its stop, its state, and the guardian. */
  guardOf(requestContext: object): LoopGuard | undefined;
  /** The next run with this request context continues from a state that the guard of an earlier run has returned. */
  restore(requestContext: object, state: unknown): void;
}

/** What the guard uses of `ToolHooks`. */
export interface MastraHooks {
  beforeToolCall(call: ToolCall): { proceed: false; output: string } | undefined;
  afterToolCall(call: FinishedToolCall): void;
}

export interface ToolCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly context: unknown;
}

export interface FinishedToolCall extends ToolCall {
  readonly output?: unknown;
  readonly error?: unknown;
}

/** What the guard uses of `Processor`. */
export interface MastraProcessor {
  readonly id: string;
  processInputStep(args: InputStep): undefined;
  processLLMRequest<Prompt extends unknown[]>(args: LLMRequest<Prompt>): { prompt: Prompt } | undefined;
  processLLMResponse(args: LLMResponse): undefined;
}

/** What all steps of one call of `generate` or `stream` share. */
export interface RequestArgs {
  /** The state of this processor. */
  readonly state: Record<string, unknown>;
  readonly requestContext?: object | undefined;
}

export interface InputStep extends RequestArgs {
  readonly steps: readonly object[];
  abort(reason?: string, options?: { metadata?: unknown }): never;
}

export interface LLMRequest<Prompt> extends RequestArgs {
  readonly prompt: Prompt;
}

export interface LLMResponse extends RequestArgs {
  readonly chunks: readonly { readonly type: string; readonly payload: unknown }[];
  readonly model: object;
}

import type { Verdict } from "@sheepdog/guardian";

/** One tool call with its result, as it was recorded. */
export interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
  readonly result: unknown;
  /** null when the source does not record it. */
  readonly isError: boolean | null;
  /** When the call started, in milliseconds since 1970. */
  readonly at?: number;
}

/** Tokens and cost of a step's model request. The cost is the recorded one, never an estimate. */
export interface RecordedUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly costUsd?: number;
}

/** An answer to a request for a second opinion. */
export interface RecordedOpinion {
  /** The id of the request. */
  readonly request: string;
  readonly verdict: Verdict;
  readonly advice?: string;
}

/** One model reply and the calls it made. */
export interface RecordedStep {
  readonly turn: number;
  readonly text: string;
  /** Present when a person wrote a message just before this step. */
  readonly user?: true;
  /** Name of the agent that replied, for runs with several agents. */
  readonly agent?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly usage?: RecordedUsage;
  /** Second opinions that were given since the step before. */
  readonly opinions?: readonly RecordedOpinion[];
  readonly calls: readonly RecordedCall[];
}

/** One recorded agent run: a prompt and the steps that followed it. */
export interface RecordedRun {
  readonly id: string;
  readonly source?: string;
  readonly model?: string;
  readonly task?: string;
  readonly outcome?: string;
  readonly steps: readonly RecordedStep[];
}

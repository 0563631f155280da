import type { Intervention, Mode, ToolKind, Verdict } from "@sheepdog/guardian";

/** Where something stands in its recording, so that a person can look it up. */
export interface RecordedPosition {
  /** The file, where a run spans several. */
  readonly file?: string;
  /** A line of the file, counted from 1. */
  readonly line?: number;
  /** An entry of a database or of a document: "message msg_1". */
  readonly entry?: string;
}

/** Why a call has no ordinary result. */
export type RecordedStatus = "denied" | "timeout" | "interrupted" | "unknown-tool" | "invalid-arguments";

/** One tool call with its result, as it was recorded. */
export interface RecordedCall {
  readonly name: string;
  readonly args: unknown;
  readonly result: unknown;
  /** Present when the recording does not hold the result, so that nothing can be said about it. */
  readonly isResultUnknown?: true;
  /** null when the source does not record it. */
  readonly isError: boolean | null;
  /** Present when the source says more than that the call failed. */
  readonly status?: RecordedStatus;
  /** What the call does, when the format says it better than the name of the tool. */
  readonly kind?: ToolKind;
  /** When the call started, in milliseconds since 1970. */
  readonly at?: number;
  /** When its result was recorded, in milliseconds since 1970. */
  readonly endedAt?: number;
  /** The id of the subagent's run that this call started. */
  readonly child?: string;
  /**
   * Tokens of that subagent as the call's result states them, for the case that its own recording is missing. A lower
   * bound: some agents state those of the last request. In no sum.
   */
  readonly childTokens?: number;
  readonly position?: RecordedPosition;
}

/** Tokens and cost of a step's model requests. */
export interface RecordedUsage {
  /** All input, with the tokens read from and written to the cache. */
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  /** All tokens written to the cache. */
  readonly cacheWriteTokens?: number;
  /** Those of them that are kept for an hour, which costs more. */
  readonly cacheWrite1hTokens?: number;
  /** All output, with reasoning. */
  readonly outputTokens?: number;
  /** The cost in the recording; after `priceRun` also one that was computed. */
  readonly costUsd?: number;
  /** Present when `costUsd` was computed from the tokens by the price list or by configured prices. */
  readonly isPriced?: true;
  /** Present for a request in a faster mode of the model, which costs more than the listed price. */
  readonly isFast?: true;
  /** Present for a request that was only to be computed in the US, which costs more. */
  readonly isUsOnly?: true;
  /** Present for a request at another price than that of an ordinary one. */
  readonly serviceTier?: "batch" | "priority";
  /** The searches of the provider's web search, which are paid by the piece. */
  readonly webSearches?: number;
  /**
   * Present when these are the tokens of several requests: how large each one was is unknown, and with it whether a
   * higher price for large requests applied.
   */
  readonly isSum?: true;
  /** Identifies the model request in all files: a copy of it in another file is not paid again. */
  readonly request?: string;
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
  /** What the person wrote; several messages have an empty line between them. */
  readonly prompt?: string;
  /** Present when a program gave new work just before this step, as it does to a subagent at each of its turns. */
  readonly assigned?: true;
  /** Present when the context was compacted just before this step. */
  readonly compacted?: true;
  /** Name of the agent that replied, for runs with several agents. */
  readonly agent?: string;
  /** The model of this reply; default: that of the run. */
  readonly model?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly usage?: RecordedUsage;
  /** Identifies a reply without usage in all files, as `usage.request` does one with usage. */
  readonly copyKey?: string;
  /** Second opinions that were given since the step before. */
  readonly opinions?: readonly RecordedOpinion[];
  readonly calls: readonly RecordedCall[];
  readonly position?: RecordedPosition;
}

/** What a reader left out of the sums, by kind, so that every number can say how it was made. */
export interface CountingNotes {
  /** Lines that repeat the usage of a request. */
  readonly repeatedUsage?: number;
  /** Requests that are copies of those of another run, as in a resumed, forked or side-chain recording. */
  readonly copiedRequests?: number;
  /** Messages that the user took back; they were paid all the same and are counted. */
  readonly rewoundMessages?: number;
  /** Entries that the agent wrote in the model's name, without a request. */
  readonly syntheticReplies?: number;
  /** Replies without any usage. */
  readonly withoutUsage?: number;
  /** Replies with so few output tokens that these can only be those of the beginning of the stream. */
  readonly partialOutput?: number;
  /** Results with the id of several open calls, which the order of the recording gave to one of them. */
  readonly ambiguousResults?: number;
  /** Requests in a mode without a published price, as a priority tier: priced as ordinary ones. */
  readonly pricedAsOrdinary?: number;
  /**
   * Steps whose tokens are those of several requests, and of a model whose large requests cost more: priced as small
   * ones.
   */
  readonly pricedAsSmall?: number;
}

/** What a guardian did in the run itself. The index of a call is that in the run's sequence of calls, from 0. */
export type GuardianAct = {
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** The index of the call before which it happened; the number of calls if no call followed. */
  readonly beforeCall: number;
} & (
  | { readonly type: "intervention"; readonly intervention: Intervention }
  /** The call `beforeCall` was not made; the agent received this message in place of a result. */
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "recovered"; readonly episode: string }
);

/** The guardian that was attached to the agent while it recorded the run. */
export interface AttachedGuardian {
  readonly mode: Mode;
  /** In the order in which they happened. */
  readonly acts: readonly GuardianAct[];
  /** `idle`: the agent has replied and waits for the next message of its user. */
  readonly activity: "working" | "idle" | "ended";
  /** When the newest line was recorded, in milliseconds since 1970. */
  readonly lastAt?: number;
}

/** One recorded agent run: the steps of a session, or of a subagent. */
export interface RecordedRun {
  readonly id: string;
  /** The agent: `claude-code`, `codex`, … */
  readonly source?: string;
  /** The model of most steps. */
  readonly model?: string;
  /** The provider of the model, when the source says it: prices differ. */
  readonly provider?: string;
  readonly task?: string;
  readonly outcome?: string;
  /** The folder in which the agent worked. */
  readonly project?: string;
  /** The id of the run that started this subagent. */
  readonly parent?: string;
  /**
   * Present when these are the parts of a subagent's run that its parent's recording repeats. The run itself, with the
   * same id, may be another recording and is preferred.
   */
  readonly isExcerpt?: true;
  readonly counting?: CountingNotes;
  /** Present when the hooks of an attached guardian made this recording; the agent's own recording is another one. */
  readonly guardian?: AttachedGuardian;
  readonly steps: readonly RecordedStep[];
}

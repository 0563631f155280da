import type { GuardianEvent, Mode, Policy, Tool, Words } from "@sheepdog/guardian";

/** What one model request used. Tokens of the input include those that were read from the cache. */
export interface RequestUsage {
  readonly model?: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
}

/** The options that the guards of all frameworks share. */
export interface GuardOptions {
  /** Absent fields are taken from the default policy. */
  readonly policy?: Partial<Policy>;
  /** `observe` only reports what the guardian would do; limits hold in every mode. Default: that of the policy. */
  readonly mode?: Mode;
  /** Whether a person is watching; default false. */
  readonly attended?: boolean;
  /** A value that `snapshot()` returned, as JSON.parse reads it: the guard continues where that one was. */
  readonly state?: unknown;
  /** The name of the run: with a saved state, the same name continues its tokens, money, turns and time. */
  readonly run?: string;
  /** The kinds of tools; without them the kind of each call is inferred. */
  readonly tools?: readonly Tool[];
  /** The cost of a request in nano-dollars; null if its price is unknown. Without it money is not counted. */
  readonly price?: (usage: RequestUsage) => number | null;
  /** Removes secrets from the one line of a result that a message may quote; default: those with a known form. */
  readonly redact?: (line: string) => string;
  /** Makes the messages; default: those of the guardian. */
  readonly words?: Words;
  /** Called for each intervention, recovery and problem, for logs and screens. */
  readonly onEvent?: (event: GuardianEvent) => void;
  /** Milliseconds since 1970; default `Date.now`. */
  readonly now?: () => number;
}

import type { Intervention, Origin, Status } from "@sheepdog/guardian";
import type { HookAgent } from "./hook-contract.ts";

/**
 * A line of the spool: what hooks saw and did in one session, in the order in which it happened. Secrets are masked and
 * long texts are cut before a line is made.
 */
export type SpoolLine = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The subagent it is about; absent for the main agent. */
  readonly subagent?: string;
} & (
  | {
      /** The first line of a file, and again when something of it changes. */
      readonly type: "session";
      readonly version: 1;
      readonly agent: HookAgent;
      readonly session: string;
      readonly cwd?: string;
      readonly recording?: string;
      readonly model?: string;
      readonly mode: "guide" | "advise" | "observe";
    }
  | { readonly type: "prompt"; readonly text: string; readonly origin: Origin }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly args: unknown }
  | { readonly type: "result"; readonly id: string; readonly status: Status; readonly content: string }
  | { readonly type: "turn-end" }
  /** The agent's text when it wanted to end its work. */
  | { readonly type: "reply"; readonly text: string }
  /** What the guardian decided, with `isApplied` false where it would have. */
  | { readonly type: "intervention"; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly episode: string }
  /** What the answer to the agent contained. */
  | { readonly type: "answer"; readonly event: string; readonly parts: readonly ("deny" | "ask" | "tell" | "stop")[] }
  /** Totals of the session; money is null if a price is unknown. */
  | {
      readonly type: "usage";
      readonly model?: string;
      readonly inputTokens: number;
      readonly cacheReadTokens: number;
      readonly cacheWriteTokens: number;
      readonly outputTokens: number;
      readonly costNanoUsd: number | null;
    }
  | { readonly type: "end" }
  /** How long the hook took, without the start of its process. */
  | { readonly type: "hook"; readonly event: string; readonly ms: number; readonly isDaemon?: true }
  /** The hook could not work, and let the agent continue. */
  | { readonly type: "problem"; readonly sentence: string }
);

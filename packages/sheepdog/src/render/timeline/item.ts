import type { RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";

/** A call and what came of it, as far as that is known. */
export interface CallItem {
  readonly type: "call";
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  readonly input: unknown;
  /** Absent while it goes on. `blocked` where the guardian or the gate refused it, and `content` says why. */
  readonly status?: string;
  readonly content?: string;
  readonly ms?: number;
  readonly blockedBy?: "guardian" | "gate";
}

/** Something of a run that a person reads as one thing. */
export type Item =
  | { readonly type: "prompt"; readonly text: string; readonly isResumed: boolean }
  | { readonly type: "text"; readonly turn: number; readonly text: string }
  | { readonly type: "thinking"; readonly turn: number; readonly text: string }
  | CallItem
  | { readonly type: "guardian"; readonly turn: number; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly turn: number; readonly episode: string }
  /** A retry, a compaction, an approval, a subagent, a verdict: one sentence. */
  | {
      readonly type: "note";
      readonly turn: number;
      readonly severity: "info" | "warning" | "error";
      readonly text: string;
    }
  | { readonly type: "end"; readonly result: RunResult };

import type { AgentEventBody, GoalEvaluation, RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import type { DiffLine } from "../diff/diff-line.ts";

/** A call and its outcome, as far as it is known. */
export interface CallItem {
  readonly type: "call";
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  readonly input: unknown;
  /** Absent while the call is running. `blocked`: the guardian or the gate refused it, and `content` says why. */
  readonly status?: string;
  readonly content?: string;
  readonly ms?: number;
  readonly blockedBy?: "guardian" | "guard" | "gate";
  /** What the tool recorded about the call, for the user interface. */
  readonly details?: unknown;
  /** The change that the call made to a file. */
  readonly diff?: readonly DiffLine[];
  /** The end of the output so far, while the call is running. */
  readonly output?: string;
}

/** A second opinion, in the turn in which it was wanted. */
export interface OpinionItem {
  readonly type: "opinion";
  readonly turn: number;
  /** What the guardian had noticed; absent if only the answer is known. */
  readonly question?: string;
  readonly verdict: string;
  readonly advice?: string;
  readonly model?: string;
  /** null if the price is unknown. */
  readonly costNanoUsd?: number | null;
  /** Why no model was asked. */
  readonly skipped?: string;
  /** Why the model gave no answer. */
  readonly problem?: string;
}

/** A verdict of the judge. */
export interface VerdictItem extends Omit<Extract<AgentEventBody, { readonly type: "JudgeVerdict" }>, "type"> {
  readonly type: "verdict";
  readonly turn: number;
}

/** How a goal was evaluated. */
export interface GoalItem extends GoalEvaluation {
  readonly type: "goal";
  readonly turn: number;
}

/** A unit of a run's timeline that is shown as one block. */
export type Item =
  | { readonly type: "prompt"; readonly text: string; readonly isResumed: boolean }
  | { readonly type: "text"; readonly turn: number; readonly text: string }
  | { readonly type: "thinking"; readonly turn: number; readonly text: string }
  | CallItem
  | { readonly type: "guardian"; readonly turn: number; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly turn: number; readonly episode: string }
  | OpinionItem
  | VerdictItem
  | GoalItem
  /** One sentence about the plan of a director, which its graph shows too. `nodeId`: the node that it is about. */
  | {
      readonly type: "plan";
      readonly turn: number;
      readonly severity: "info" | "warning";
      readonly text: string;
      readonly nodeId?: string;
    }
  /** One sentence about a retry, a compaction, an approval or a subagent. */
  | {
      readonly type: "note";
      readonly turn: number;
      readonly severity: "info" | "warning" | "error";
      readonly text: string;
      /** What it is about, if later notes about the same replace it: the problem of a request that is retried. */
      readonly topic?: string;
    }
  | { readonly type: "end"; readonly result: RunResult };

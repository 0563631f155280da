import type { Intervention, ToolKind } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import type { GoalEvaluation } from "../protocol/goal.ts";
import type { RunResult } from "../protocol/result.ts";

/** The event that an item began with: its number within the session, and its time. */
export interface ItemStart {
  readonly seq: number;
  readonly at: number;
}

/** A line of a change or a command: unchanged, added, removed, or a note. */
export interface DiffLine {
  readonly sign: " " | "+" | "-" | "…";
  readonly text: string;
}

/** The prompt of the run. */
export interface PromptItem extends ItemStart {
  readonly type: "prompt";
  readonly text: string;
  readonly isResumed: boolean;
}

/** The text or the thinking of a reply. */
export interface TextItem<Type extends "text" | "thinking" = "text"> extends ItemStart {
  readonly type: Type;
  readonly turn: number;
  readonly text: string;
}

/** A call and its outcome, as far as it is known. */
export interface CallItem extends ItemStart {
  readonly type: "call";
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  readonly input: unknown;
  readonly kind?: ToolKind;
  /**
   * Absent while the call is running, and if its outcome is unknown. `blocked`: the guardian or the gate refused it,
   * and `content` says why.
   */
  readonly status?: string;
  readonly content?: string;
  readonly ms?: number;
  readonly blockedBy?: "guardian" | "guard" | "gate";
  /** What the tool recorded about the call, for the user interface. */
  readonly details?: unknown;
  /** The change that the call made to a file. No event has it: the user interface computes it from `details`. */
  readonly diff?: readonly DiffLine[];
  /** The end of the output so far, while the call is running. */
  readonly output?: string;
}

/** An intervention of the guardian. */
export interface GuardianItem extends ItemStart {
  readonly type: "guardian";
  readonly turn: number;
  readonly intervention: Intervention;
}

/** The end of an episode: the agent does something else now. */
export interface RecoveredItem extends ItemStart {
  readonly type: "recovered";
  readonly turn: number;
  readonly episode: string;
}

/** A second opinion, in the turn in which it was wanted. */
export interface OpinionItem extends ItemStart {
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
export interface VerdictItem
  extends ItemStart,
    Omit<Extract<AgentEventBody, { readonly type: "JudgeVerdict" }>, "type"> {
  readonly type: "verdict";
  readonly turn: number;
}

/** How a goal was evaluated. */
export interface GoalItem extends ItemStart, GoalEvaluation {
  readonly type: "goal";
  readonly turn: number;
}

/** One sentence about the plan of a director, which its graph shows too. */
export interface PlanItem extends ItemStart {
  readonly type: "plan";
  readonly turn: number;
  readonly severity: "info" | "warning";
  readonly text: string;
  /** The node that it is about. */
  readonly nodeId?: string;
}

/** One sentence about a retry, a compaction, an approval, a message of the user or a subagent. */
export interface NoteItem extends ItemStart {
  readonly type: "note";
  readonly turn: number;
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  /** What it is about, if later notes about the same replace it: the problem of a request that is retried. */
  readonly topic?: string;
}

/** The end of the run. */
export interface EndItem extends ItemStart {
  readonly type: "end";
  readonly result: RunResult;
}

/** A unit of a run's timeline that is shown as one block. */
export type Item =
  | PromptItem
  | TextItem<"text">
  | TextItem<"thinking">
  | CallItem
  | GuardianItem
  | RecoveredItem
  | OpinionItem
  | VerdictItem
  | GoalItem
  | PlanItem
  | NoteItem
  | EndItem;

import type { Approval, RunAnswer } from "@sheepdog/agent";
import type { DiffLine } from "../../../render/diff/diff-line.ts";

/** A line of a call to approve. */
export type CardLine = DiffLine;

/** Asks whether the agent may make a call. */
export interface ApprovalCard {
  readonly type: "approval";
  readonly id: string;
  readonly tool: string;
  /** The call in a few words: `bash`, `edit src/a.ts`. */
  readonly title: string;
  /** The whole call: the command, the change, the arguments. */
  readonly lines: readonly CardLine[];
  /** Why the gate asks. */
  readonly reason: string;
  /** The rule with which the user could always allow such calls, in words; absent if there is none. */
  readonly rule?: string;
}

/** Asks a question of the agent. */
export interface QuestionCard {
  readonly type: "question";
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
}

/** Asks how the run continues. The intervention above the card says what happened. */
export interface RunCard {
  readonly type: "run";
  readonly id: string;
  /** Why the previous answer could not be used; undefined if the question is asked for the first time. */
  readonly problem?: string;
  /** How far the run is. */
  readonly status: string;
  /** The answer "continue" in words. */
  readonly continueChoice: string;
}

/** A question that the user has to answer before the agent continues. */
export type Card = ApprovalCard | QuestionCard | RunCard;

/**
 * The user's answer to a card. `isAlways`: for exactly this call, for the rest of the session. `isRule`: the rule of
 * the card is written.
 */
export type CardAnswer =
  | { readonly type: "approval"; readonly approval: Approval; readonly isAlways: boolean; readonly isRule?: true }
  | { readonly type: "question"; readonly text: string | undefined }
  | { readonly type: "run"; readonly answer: RunAnswer };

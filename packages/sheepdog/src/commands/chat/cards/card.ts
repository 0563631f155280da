import type { Approval } from "@sheepdog/agent";

/** A line of what somebody is asked to allow: as it is, added, taken away, or said about it. */
export interface CardLine {
  readonly sign: " " | "+" | "-" | "…";
  readonly text: string;
}

/** The agent asks whether it may make a call. */
export interface ApprovalCard {
  readonly type: "approval";
  readonly id: string;
  readonly tool: string;
  /** What is asked for in a few words: `bash`, `edit src/a.ts`. */
  readonly title: string;
  /** All of it: the command, the change, the arguments. */
  readonly lines: readonly CardLine[];
  /** The gate's. */
  readonly reason: string;
}

/** The agent asks something in words. */
export interface QuestionCard {
  readonly type: "question";
  readonly id: string;
  readonly text: string;
  readonly choices: readonly string[];
}

/** Something the agent waits for a person to answer. */
export type Card = ApprovalCard | QuestionCard;

/** What a person says to a card. `isAlways`: to exactly this call, for the rest of the session. */
export type CardAnswer =
  | { readonly type: "approval"; readonly approval: Approval; readonly isAlways: boolean }
  | { readonly type: "question"; readonly text: string | undefined };

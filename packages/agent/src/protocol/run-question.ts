import type { Intervention } from "@sheepdog/guardian";
import type { ControlToContinue } from "./run-control.ts";

/** A question about the run itself: the guardian wants to refuse calls or end the run, or a limit is reached. */
export interface RunQuestion {
  /** Unique in the session. */
  readonly id: string;
  /** What happened, in one or two sentences. */
  readonly text: string;
  readonly intervention: Intervention;
  /** What the answer "continue" changes: the episode is muted, or the limit raised by its own amount. */
  readonly ifContinued: ControlToContinue;
  readonly turns: number;
  /** The cost of the run so far; null when a price is unknown. */
  readonly costNanoUsd: number | null;
  /** Set if the question is asked again: why the answer before could not be used. `text` begins with it. */
  readonly problem?: string;
}

/** The user's answer. `tell` continues and sends the agent a message. */
export type RunAnswer =
  | { readonly type: "stop" }
  | { readonly type: "continue" }
  | { readonly type: "tell"; readonly text: string };

/** Asks the user how a run continues. Resolves to undefined when the user gives no answer. */
export type AskAboutRun = (question: RunQuestion, signal: AbortSignal) => Promise<GivenRunAnswer | undefined>;

/** Where an answer of the user came from: the terminal of the run, or another process. */
export type AnsweredBy = "terminal" | "remote";

/** An answer, and where it came from, if that is known. */
export type GivenRunAnswer = RunAnswer & { readonly by?: AnsweredBy };

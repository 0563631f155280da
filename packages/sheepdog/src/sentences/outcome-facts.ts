import type { Reason } from "@sheepdog/agent";
import type { LimitName } from "@sheepdog/guardian";
import type { SummaryState } from "../saved-runs/run-state.ts";
import type { Loop } from "../saved-runs/trace/loops.ts";
import type { DescribedCall } from "./call-text.ts";

/** What the sentence about a run is made from. */
export interface OutcomeFacts {
  readonly kind: "run" | "recording";
  readonly state: SummaryState;
  readonly reason: Reason | undefined;
  readonly endedAt: number | undefined;
  readonly prompt: string;
  /** The answer, or the summary of a run without one. */
  readonly text: string;
  readonly problem: string | undefined;
  /** The last text of the agent, before the end. */
  readonly lastWords: string | undefined;
  readonly model: string | undefined;
  /** The repetition that the guardian did most about. */
  readonly loop: Loop | undefined;
  /** Calls that the guardian refused. */
  readonly refused: number;
  /** The limit that ended the run, or that a question is about. */
  readonly limit:
    | { readonly name: LimitName; readonly stop: number | undefined; readonly isUnpriced: boolean }
    | undefined;
  /** The user answered the guardian's question with "stop". */
  readonly isStoppedByAnswer: boolean;
  /** What the run waits for. */
  readonly waiting:
    | { readonly for: "question" }
    | { readonly for: "approval"; readonly call: DescribedCall }
    | { readonly for: "reply"; readonly question: string }
    | undefined;
  /** What a live run does now. */
  readonly doing:
    | { readonly type: "call"; readonly call: DescribedCall; readonly others: number }
    | { readonly type: "retry"; readonly problem: string }
    | { readonly type: "thinking" };
}

import type { AgentEvent, RunResult } from "@sheepdog/agent/timeline";
import type { Call } from "./call.ts";

type Body<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;
type Intervention = Body<"GuardianIntervention">["intervention"];

interface Base {
  /** Of the event that it comes from: the anchor `#e<seq>`. */
  readonly seq: number;
  readonly at: number;
  readonly turn: number;
}

/** Something that the story shows. */
export type Item = Base &
  (
    | { readonly type: "prompt"; readonly text: string; readonly isResumed: boolean }
    /** What the user said to the running agent. */
    | { readonly type: "said"; readonly text: string }
    | { readonly type: "text"; readonly text: string; readonly length: number }
    | { readonly type: "thinking"; readonly text: string; readonly length: number }
    | { readonly type: "call"; readonly call: Call }
    | { readonly type: "guardian"; readonly intervention: Intervention; readonly costUsd: number | null }
    | { readonly type: "recovered"; readonly episode: string }
    | {
        readonly type: "answer";
        readonly answer: Body<"QuestionAnswered">["answer"];
        readonly text: string | null;
        readonly interventionId: string | null;
        readonly costUsd: number | null;
      }
    | {
        readonly type: "muted";
        readonly text: string;
        readonly episode: string | null;
        readonly costUsd: number | null;
      }
    | { readonly type: "opinion"; readonly opinion: Body<"OpinionGiven"> }
    | { readonly type: "verdict"; readonly verdict: Body<"JudgeVerdict"> }
    | { readonly type: "subagent"; readonly childId: string; readonly text: string; readonly isEnd: boolean }
    | {
        readonly type: "note";
        readonly severity: "info" | "warning" | "error";
        readonly text: string;
        /** Notes about the same topic are folded. */
        readonly topic: string | null;
      }
    | { readonly type: "end"; readonly result: RunResult }
  );

/** The items of one type. */
export type ItemOf<Type extends Item["type"]> = Extract<Item, { readonly type: Type }>;

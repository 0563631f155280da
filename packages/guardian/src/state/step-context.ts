import type { Policy } from "../policy/policy.ts";
import type { Draft } from "./draft.ts";
import type { Intervention, Words } from "./intervention.ts";
import type { OpinionRequest } from "./opinion.ts";

/** What a step works with: the policy, the next state and the words for messages. */
export interface StepContext {
  readonly policy: Policy;
  readonly state: Draft;
  readonly words: Words;
}

/** What a signal led to. */
export interface StepOutput {
  readonly interventions: readonly Intervention[];
  /** Ids of the episodes that closed. */
  readonly recovered: readonly string[];
  /** Requests for a second opinion. */
  readonly asked: readonly OpinionRequest[];
}

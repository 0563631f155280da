import type { AssistantMessage, UserMessage } from "../protocol/messages.ts";
import { callsOf, textOf } from "../protocol/messages.ts";
import type { Reason } from "../protocol/result.ts";

/** What to do about a reply that calls nothing, or whose calls must not be run. */
export type Next =
  | { readonly type: "answered" }
  | { readonly type: "ended"; readonly reason: Reason; readonly problem: string }
  /** Ask again, after an internal message that people are not shown. */
  | { readonly type: "again"; readonly reason: NonNullable<UserMessage["reason"]>; readonly text: string };

/** How often a run was helped on already. */
export interface RecoveryCounts {
  readonly length: number;
  readonly empty: number;
}

/** How often it may be. */
export interface Allowed {
  readonly maxTokensRecoveries: number;
  readonly maxEmptyReplies: number;
}

/** What follows a reply that ends without calls to run. */
export function nextAfter(reply: AssistantMessage, recovered: RecoveryCounts, allowed: Allowed): Next {
  if (reply.stop === "refused")
    return { type: "ended", reason: "refused", problem: textOf(reply) || "the model refused to answer" };
  if (reply.stop === "interrupted") return again("interrupted", "Go on from there, without what was repeated.");
  if (reply.stop === "length" && recovered.length < allowed.maxTokensRecoveries)
    return again("max_tokens_recovery", continuation(reply));
  if (reply.stop === "length" && callsOf(reply).length > 0)
    return {
      type: "ended",
      reason: "provider_error",
      problem:
        "the model's tool calls were cut off at its output limit again and again; raise the limit of output tokens",
    };
  if (reply.stop === "incomplete") {
    if (recovered.empty < allowed.maxEmptyReplies)
      return again("incomplete_reply", "Your reply broke off, and nothing of it was done. Say it again.");
    return {
      type: "ended",
      reason: "provider_error",
      problem: `the model's reply broke off ${recovered.empty + 1} times`,
    };
  }
  if (textOf(reply).trim() !== "") return { type: "answered" };
  if (recovered.empty < allowed.maxEmptyReplies)
    return again("empty_reply", "Your reply was empty. Say what you found, or make the next call.");
  return {
    type: "ended",
    reason: "provider_error",
    problem: `the model gave an empty reply ${recovered.empty + 1} times`,
  };
}

function again(reason: string, text: string): Next {
  return { type: "again", reason, text };
}

function continuation(reply: AssistantMessage): string {
  return callsOf(reply).length > 0
    ? "Your reply was cut off at its length limit, and none of its calls were made. Make them again with less to say, or in smaller parts."
    : "Your reply was cut off at its length limit. Go on with the very next word: no apology, no summary, nothing said twice.";
}

import { type AssistantMessage, callsOf, textOf } from "../protocol/messages.ts";
import type { RecoveryCounts } from "../protocol/recovery-counts.ts";
import type { Reason } from "../protocol/result.ts";
import type { AgentSettings } from "../protocol/settings.ts";

/** What follows a reply without executable calls. */
export type ReplyOutcome =
  | { readonly type: "answered" }
  | { readonly type: "failed"; readonly reason: Reason; readonly problem: string }
  | Recovery;

/** Asks the model again, after an internal message that the user does not see. */
interface Recovery {
  readonly type: "recover";
  /** The reason of the internal message; without `text` none is added. */
  readonly reason: string;
  readonly text?: string;
  /** Counts against a limit of the settings. */
  readonly counts?: keyof RecoveryCounts;
}

/** Decides what follows a reply that makes no calls, or whose calls must not be executed. */
export function replyOutcome(
  reply: AssistantMessage,
  recoveries: RecoveryCounts,
  settings: Pick<AgentSettings, "maxTokensRecoveries" | "maxEmptyReplies" | "maxOutputTokens">,
): ReplyOutcome {
  const { maxTokensRecoveries, maxEmptyReplies } = settings;
  const text = textOf(reply);
  const hasCalls = callsOf(reply).length > 0;
  const canRetryEmpty = recoveries.emptyReply < maxEmptyReplies;
  const attempts = recoveries.emptyReply + 1;
  switch (reply.stop) {
    case "refused":
      return { type: "failed", reason: "refused", problem: text || "the model refused to answer" };
    case "interrupted": // the guardian's notice says what to do
      return { type: "recover", reason: "interrupted" };
    case "incomplete":
      if (!canRetryEmpty) return providerError(`the model's reply broke off ${attempts} times`);
      return {
        type: "recover",
        reason: "incomplete_reply",
        counts: "emptyReply",
        text: "Your reply broke off, and nothing of it was executed. Say it again.",
      };
    case "overlong": // it would ignore the limit again
      return providerError(
        `the model's reply ignored its limit of output tokens and was cut off; ${outputAdvice(settings)}`,
      );
    case "length":
      if (reply.isCutByBudget) return continueCutOff(hasCalls); // until it is complete, or the budget ends the run
      if (recoveries.maxTokens < maxTokensRecoveries) return { ...continueCutOff(hasCalls), counts: "maxTokens" };
      if (hasCalls)
        return providerError(
          `the model's tool calls were cut off at its output limit several times; ${outputAdvice(settings)}`,
        );
      break; // a text is the answer as far as it goes
    case "calls":
    case "end":
      break;
    default:
      return reply.stop satisfies never;
  }
  if (text.trim() !== "") return { type: "answered" };
  if (!canRetryEmpty) return providerError(`the model gave an empty reply ${attempts} times`);
  return {
    type: "recover",
    reason: "empty_reply",
    counts: "emptyReply",
    text: "Your reply was empty. Say what you found, or make the next call.",
  };
}

function outputAdvice({ maxOutputTokens }: Pick<AgentSettings, "maxOutputTokens">): string {
  return `raise model.max_output_tokens (now ${maxOutputTokens}), or use another model`;
}

function providerError(problem: string): ReplyOutcome {
  return { type: "failed", reason: "provider_error", problem };
}

function continueCutOff(hasCalls: boolean): Recovery {
  const text = hasCalls
    ? "Your reply was cut off at its length limit, and none of its calls were executed. " +
      "Make them again with less text, or in smaller parts."
    : "Your reply was cut off at its length limit. " +
      "Continue with the very next word: no apology, no summary, no repetition.";
  return { type: "recover", reason: "max_tokens_recovery", text };
}

import { type AssistantMessage, callsOf, textOf } from "../protocol/messages.ts";
import { missingResult } from "../protocol/missing-result.ts";
import type { AgentRun } from "./agent-run.ts";
import { appendNotices, appendSteering, appendUserMessage } from "./append-messages.ts";
import { commitTurn, completeTurn } from "./commit-turn.ts";
import { type Continue, continues, type Finish, finishCancelled, finishWithout } from "./finish.ts";
import { type JudgedTurn, judgeTurn } from "./judge-turn.ts";
import { type ReplyOutcome, replyOutcome } from "./reply-recovery.ts";

/**
 * Step 8: a reply without executable calls is the answer, judged if the run has a goal, or a reason to ask the model
 * again. The run continues when the judge gives a hint or the user has steered.
 */
export async function answerTurn(run: AgentRun, reply: AssistantMessage): Promise<Continue | Finish> {
  const { setup, history, guard } = run;
  history.append(...callsOf(reply).map((call) => missingResult(call, "reply-cut-off", setup.clock)));
  guard.onReply(textOf(reply), reply.stop === "length" || reply.stop === "overlong" ? "length" : "end");
  const outcome = replyOutcome(reply, history.recoveries, setup.settings);
  if (outcome.type === "recover") appendRecovery(run, reply, outcome);
  const judged = outcome.type === "answered" ? await judgeTurn(run, answerOf(run, reply)) : continues; // 13
  appendNotices(run, guard.endTurn()); // 12, after 13: the guardian counts the answers that the judge refuses
  const isSteered = appendSteering(run);
  const turnEvents = completeTurn(run);
  const end = endOf(run, reply, { outcome, judged });
  // The answer is saved together with the end of the run, so that it is given exactly once.
  if (end.type === "finish" && (!isSteered || setup.cancelled.aborted)) return { ...end, turnEvents };
  await commitTurn(run, turnEvents); // 15, 16
  return continues;
}

function appendRecovery(
  run: AgentRun,
  { model, isCutByBudget }: AssistantMessage,
  { reason, text, counts }: Extract<ReplyOutcome, { type: "recover" }>,
): void {
  const { setup, history, events } = run;
  if (counts !== undefined) history.countRecovery(counts);
  if (counts === "maxTokens") {
    const count = `${history.recoveries.maxTokens} of ${setup.settings.maxTokensRecoveries}`;
    const problem = `The reply reached its maximum length; the model is asked to continue it (${count}).`;
    events.emit({ type: "ProviderWarning", model, problem });
  }
  if (isCutByBudget === true) {
    const problem = "The reply was shortened to what the budget allows; the model is asked to continue it.";
    events.emit({ type: "ProviderWarning", model, problem });
  }
  if (text !== undefined) appendUserMessage(run, text, { origin: "automatic", reason });
}

function endOf(
  run: AgentRun,
  reply: AssistantMessage,
  { outcome, judged }: { readonly outcome: ReplyOutcome; readonly judged: Continue | Finish },
): Continue | Finish {
  if (outcome.type === "recover") return continues;
  if (run.setup.cancelled.aborted) return finishCancelled(run);
  if (outcome.type === "failed") return finishWithout(run, outcome.reason, outcome.problem);
  return run.setup.goal === undefined ? { type: "finish", reason: "answered", text: answerText(run, reply) } : judged;
}

function answerOf(run: AgentRun, reply: AssistantMessage): JudgedTurn {
  return { output: answerText(run, reply), isAnswer: true };
}

/** The answer with its earlier parts, if the reply was cut off and continued. */
function answerText({ history: { messages } }: AgentRun, reply: AssistantMessage): string {
  const parts = [textOf(reply)];
  for (const message of messages.slice(0, messages.indexOf(reply)).reverse()) {
    if (message.role === "user" && message.reason === "max_tokens_recovery") continue;
    if (message.role !== "assistant" || message.stop !== "length") break;
    parts.unshift(textOf(message));
  }
  return parts.join("");
}

import type { AssistantMessage } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";
import { continueAfterStop } from "./append-messages.ts";
import { decideStop } from "./ask-user.ts";
import { compactContext, type FittedMessages } from "./compact-context.ts";
import { type Finish, finishByGuard, finishCancelled, finishWithout } from "./finish.ts";
import type { PromptContext } from "./prompt-context.ts";
import { finishTooLong } from "./prompt-too-long.ts";
import { requestOptions } from "./request-options.ts";

/** The reply of the model, or what to do without one. */
export type StreamedReply =
  | { readonly type: "reply"; readonly message: AssistantMessage }
  /** The guardian aborted a silent request, or ends the run: check before the request is made again. */
  | { readonly type: "retry" }
  | Finish;

/** Step 6: streams one reply, with retries and fallback models, watched by the guardian, and appends it. */
export async function streamReply(
  run: AgentRun,
  context: PromptContext,
  { messages, tokens, overflow }: FittedMessages,
): Promise<StreamedReply> {
  if (overflow !== undefined) return finishTooLong(run, overflow);
  const first = await requestReply(run, context, { messages, tokens });
  // The model's window is smaller than configured: compact once and try again.
  const isTooLong = first.type === "failed" && first.isTooLong;
  const last = isTooLong
    ? await requestReply(run, context, await compactContext(run, context, { isRefused: true }))
    : first;
  if (last.type === "reply") run.history.append(last.message);
  if (last.type !== "failed") return last;
  return last.isTooLong
    ? finishWithout(run, "context_budget", `${last.problem} ${tooLongAdvice}`)
    : finishWithout(run, "provider_error", last.problem);
}

/** The provider sets this limit: a larger `max_context_tokens` would not help. */
const tooLongAdvice =
  "Making it shorter was not enough or not allowed: use a model with a larger context window, or start a new session.";

interface Failed {
  readonly type: "failed";
  readonly isTooLong: boolean;
  readonly problem: string;
}

async function requestReply(
  run: AgentRun,
  { system, tools, counter }: PromptContext,
  { messages, tokens }: FittedMessages,
): Promise<StreamedReply | Failed> {
  const { setup, guard } = run;
  if (guard.stop !== undefined) return stoppedRequest(run);
  const maxOutputTokens = outputRoom(run, tokens);
  const signal = guard.requestSignal();
  const size = { inputTokens: tokens, maxOutputTokens, purpose: setup.turnPurpose ?? "turn" } as const;
  const answer = await setup.requestModel(
    { system, messages, tools, maxOutputTokens },
    requestOptions(run, { signal, size, counter }),
  );
  if (answer.ok) return { type: "reply", message: answer.message };
  if (setup.cancelled.aborted) return finishCancelled(run);
  if (guard.stop !== undefined) return stoppedRequest(run, answer.lastProblem);
  if (signal.aborted) return { type: "retry" };
  const { kind, problem } = answer.failure;
  return { type: "failed", isTooLong: kind === "context-too-long", problem };
}

/** The guardian ends the run, unless the user lets it continue. `requestProblem`: why the last request failed. */
async function stoppedRequest(run: AgentRun, requestProblem?: string): Promise<StreamedReply> {
  while (await decideStop(run)) continueAfterStop(run);
  return finishByGuard(run, requestProblem) ?? { type: "retry" };
}

const MIN_OUTPUT_TOKENS = 1_024;
/** Part of the window that is left free, as the provider may count more tokens than this side. */
const WINDOW_MARGIN = 0.05;

/** The longest reply that fits into the model's window together with the request. */
function outputRoom({ setup: { settings } }: AgentRun, tokens: number): number {
  const window = settings.contextWindow === 0 ? Number.POSITIVE_INFINITY : settings.contextWindow;
  const room = Math.floor(window * (1 - WINDOW_MARGIN)) - tokens;
  return Math.min(settings.maxOutputTokens, Math.max(MIN_OUTPUT_TOKENS, room));
}

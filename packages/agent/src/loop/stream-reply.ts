import type { AssistantMessage } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";
import { compactContext, type FittedMessages } from "./compact-context.ts";
import { type Finish, finishCancelled, finishWithout } from "./finish.ts";
import type { PromptContext } from "./prompt-context.ts";
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
  { messages, tokens }: FittedMessages,
): Promise<StreamedReply> {
  const first = await requestReply(run, context, { messages, tokens });
  // The model's window is smaller than configured: compact once and try again.
  const isTooLong = first.type === "failed" && first.isTooLong;
  const last = isTooLong
    ? await requestReply(run, context, await compactContext(run, context, { isRefused: true }))
    : first;
  if (last.type === "reply") run.history.append(last.message);
  if (last.type !== "failed") return last;
  return finishWithout(run, last.isTooLong ? "context_budget" : "provider_error", last.problem);
}

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
  if (guard.stop !== undefined) return { type: "retry" };
  const { maxOutputTokens } = setup.settings;
  const signal = guard.requestSignal();
  const size = { inputTokens: tokens, maxOutputTokens };
  const answer = await setup.requestModel(
    { system, messages, tools, maxOutputTokens },
    requestOptions(run, { signal, size, counter }),
  );
  if (answer.ok) return { type: "reply", message: answer.message };
  if (setup.cancelled.aborted) return finishCancelled(run);
  if (signal.aborted || guard.stop !== undefined) return { type: "retry" };
  const { kind, problem } = answer.failure;
  return { type: "failed", isTooLong: kind === "context-too-long", problem };
}

import { isAborted } from "../async/is-aborted.ts";
import type { AssistantMessage, Message } from "../protocol/messages.ts";
import { requestModel } from "../provider/model-request.ts";
import { fitRunContext } from "./fit-context.ts";
import { requestOptions } from "./request-options.ts";
import type { RunContext } from "./run-context.ts";
import { type RunEnd, stopped } from "./run-end.ts";

/** What came of asking the model. */
export type Asked =
  | { readonly type: "replied"; readonly message: AssistantMessage }
  /** The guardian ended a silent request: it is to be made once more. */
  | { readonly type: "again" }
  | { readonly type: "ended"; readonly ending: RunEnd };

/** Streams one reply, with retries and fallbacks, listened to by the guardian, and books what it used. */
export async function requestReply(run: RunContext, messages: readonly Message[], isSecond = false): Promise<Asked> {
  const { guard, settings, progress } = run;
  const request = guard.forRequest();
  const answer = await requestModel(
    { system: run.system, messages, tools: run.sentTools, maxOutputTokens: settings.maxOutputTokens },
    requestOptions(run, request, { inputTokens: progress.contextTokens, maxOutputTokens: settings.maxOutputTokens }),
  );
  if (answer.ok) return { type: "replied", message: answer.message };
  if (isAborted(run.signal))
    return { type: "ended", ending: stopped("cancelled", "The run was cancelled.", run.history.messages) };
  if (guard.stop !== undefined)
    return { type: "ended", ending: stopped(guard.stop.reason, guard.stop.message, run.history.messages) };
  if (isAborted(request)) return { type: "again" };
  const isTooLong = answer.failure.kind === "context-too-long";
  if (isTooLong && !isSecond) return requestReply(run, await fitRunContext(run, true), true); // the model's window is smaller than was said: room is made once
  return {
    type: "ended",
    ending: stopped(isTooLong ? "context_budget" : "provider_error", answer.failure.problem, run.history.messages),
  };
}

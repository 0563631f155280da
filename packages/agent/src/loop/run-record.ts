import type { RunResult } from "../protocol/result.ts";
import { redactDeep } from "../secrets/redact-deep.ts";
import { redactText } from "../secrets/redact-text.ts";
import type { SavedRun } from "../stores/stores.ts";
import type { RunContext } from "./run-context.ts";

/** The run as the books have it: while it goes on, or with what came of it. */
export function recordOf(
  run: RunContext,
  { result, isPromptPending = false }: { readonly result?: RunResult; readonly isPromptPending?: boolean } = {},
): SavedRun {
  const { runId, startedAt, title, goal, clock, progress, billingSessionId, sessionId, workspace, models } = run;
  const soFar = {
    runId,
    prompt: redactText(title),
    ...(isPromptPending ? { isPromptPending } : {}),
    ...(goal === undefined ? {} : { goal: redactDeep(goal, redactText) as typeof goal }), // masking keeps its shape
    ...(billingSessionId === sessionId ? {} : { billingSessionId }),
    workspace,
    ...(models[0] === undefined ? {} : { model: models[0].modelId }),
    startedAt,
    turns: progress.turn,
    usage: progress.total,
    costNanoUsd: progress.costNanoUsd,
  };
  if (result === undefined) return { ...soFar, state: "running" };
  const { state, reason, text } = result;
  return { ...soFar, state, reason, text: redactText(text), endedAt: clock.now() };
}

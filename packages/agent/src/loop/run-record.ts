import type { RunResult } from "../protocol/result.ts";
import { maskDeep } from "../secrets/redact-deep.ts";
import { maskText } from "../secrets/redact-text.ts";
import type { SavedRun } from "../stores/stores.ts";
import type { RunContext } from "./run-context.ts";

/** The run as the books have it: while it goes on, or with what came of it. */
export function recordOf(run: RunContext, { result, isUnasked = false }: { readonly result?: RunResult; readonly isUnasked?: boolean } = {}): SavedRun {
  const { runId, startedAt, title, goal, clock, progress, bookedTo, sessionId, workspace, models } = run;
  const soFar = {
    runId,
    prompt: maskText(title),
    ...(isUnasked ? { isUnasked } : {}),
    ...(goal === undefined ? {} : { goal: maskDeep(goal, maskText) as typeof goal }), // masking keeps its shape
    ...(bookedTo === sessionId ? {} : { bookedTo }),
    workspace,
    ...(models[0] === undefined ? {} : { model: models[0].modelId }),
    startedAt,
    turns: progress.turn,
    usage: progress.total,
    costNanoUsd: progress.costNanoUsd,
  };
  if (result === undefined) return { ...soFar, state: "running" };
  const { state, reason, text } = result;
  return { ...soFar, state, reason, text: maskText(text), endedAt: clock.now() };
}

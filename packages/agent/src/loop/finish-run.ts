import type { Policy } from "@sheepdog/guardian";
import type { AgentEventBody } from "../protocol/events.ts";
import { outcomes, type RunResult } from "../protocol/result.ts";
import type { RunRef } from "../protocol/run.ts";
import { noUsage } from "../protocol/usage.ts";
import type { AgentRun, RunSetup } from "./agent-run.ts";
import { appendPrompt, appendSteering } from "./append-messages.ts";
import { commitTurn, runRecord } from "./commit-turn.ts";
import type { Finish } from "./finish.ts";
import { closeUnansweredCalls } from "./resume-turn.ts";

/** Step 17: saves the end of the run, then publishes RunComplete or RunError. */
export async function finishRun(run: AgentRun, finish: Finish): Promise<RunResult> {
  await endActivity(run);
  appendSteering(run); // saved, however the run ended
  const result = runResult(run.setup, finish, run);
  await commitTurn(run, [...(finish.turnEvents ?? []), endEvent(result)], runRecord(run, { result }));
  run.inbox.close();
  try {
    if (appendSteering(run, { isEnded: true })) await commitTurn(run, []); // accepted during the commit
  } catch {
    // The end is saved and published; a message after it could not be saved.
  }
  return result;
}

/** Ends a run after an unexpected error: everything is saved if the disk still allows it, and the end is published. */
export async function finishBrokenRun(run: AgentRun, error: unknown): Promise<RunResult> {
  const { setup, events, inbox } = run;
  await endActivity(run);
  inbox.close();
  closeUnansweredCalls(run);
  appendPrompt(run);
  appendSteering(run);
  const result = runResult(setup, internalError(error), run);
  if (!events.hasEmitted) events.emit(startedEvent(setup, run.guard.limits()));
  try {
    await commitTurn(run, [endEvent(result)], runRecord(run, { result }));
  } catch {
    events.emit(endEvent(result)); // the disk is the problem, and the result says so
  }
  return result;
}

async function endActivity({ subagents, secondOpinion, judgeModel, guard }: AgentRun): Promise<void> {
  await subagents.settled(); // the subagents of an ended run are ended too
  await secondOpinion.end();
  await judgeModel.end();
  guard.close();
}

export function internalError(error: unknown): Finish {
  const problem = error instanceof Error ? error.message : String(error);
  return { type: "finish", reason: "internal_error", text: problem, problem };
}

/** What the first event of a run says besides its limits. */
type StartedSetup = Pick<RunSetup, "title" | "isResumed" | "policy" | "isAttended" | "models" | "spec"> & {
  readonly settings?: Pick<RunSetup["settings"], "maxContextTokens">;
};

/** The first event of a run, with the limits in force. */
export function startedEvent(
  { title, isResumed, policy, isAttended, models, spec, settings }: StartedSetup,
  limits: Policy["limits"],
): AgentEventBody {
  const [first] = models;
  const maxContextTokens = settings?.maxContextTokens ?? 0;
  return {
    type: "RunStarted",
    prompt: title,
    ...(isResumed ? { isResumed } : {}),
    limits,
    mode: policy.mode,
    preset: policy.name,
    isAttended,
    ...(first === undefined ? {} : { model: first.modelId, provider: first.provider }),
    ...(maxContextTokens === 0 ? {} : { maxContextTokens }),
    ...(spec === undefined ? {} : { spec }),
  };
}

export function endEvent(result: RunResult): AgentEventBody {
  return { type: result.state === "completed" ? "RunComplete" : "RunError", result };
}

/** What a result is made from: the run that it belongs to, and its redaction. */
type ResultOwner = RunRef & Pick<RunSetup, "redact" | "maskValues">;

/** The result of a run; without `run` it never had a turn. An answer keeps everything except keys in use. */
export function runResult(owner: ResultOwner, finish: Finish, run?: AgentRun): RunResult {
  const { sessionId, runId, redact, maskValues } = owner;
  const { reason, text, problem, neededContextTokens } = finish;
  const isCompleted = outcomes[reason].state === "completed";
  // A prompt that is too long is too long again; its problem says what has to change first.
  const canResume = run !== undefined && reason !== "prompt_too_long";
  const resumeHint = canResume ? `\nTo continue, resume the session ${sessionId}.` : "";
  return {
    sessionId,
    runId,
    ...outcomes[reason],
    reason,
    text: isCompleted ? maskValues(text) : `${redact(text)}${resumeHint}`,
    ...(problem === undefined ? {} : { problem: redact(problem.split("\n")[0] ?? "") }),
    ...(run?.guard.isEndedByUser === true ? { isStoppedByUser: true as const } : {}),
    ...(neededContextTokens === undefined ? {} : { neededContextTokens }),
    turns: run?.history.turn ?? 0,
    usage: run?.spending.usage ?? noUsage,
    costNanoUsd: run?.spending.costNanoUsd ?? null,
    ...(run === undefined ? {} : costWithSubagents(run)),
    interventions: [...(run?.guard.interventions ?? [])],
  };
}

function costWithSubagents({ guard, spending }: AgentRun): Pick<RunResult, "costWithSubagentsNanoUsd"> {
  const { subagentTotals, subagents } = guard.snapshot();
  if (subagentTotals.started === 0) return {};
  const { costNanoUsd } = spending;
  const subagentsNanoUsd = subagents.reduce((sum, each) => sum + each.costNanoUsd, subagentTotals.costNanoUsd);
  const isPriced = costNanoUsd !== null && !subagentTotals.isUnpriced;
  return { costWithSubagentsNanoUsd: isPriced ? costNanoUsd + subagentsNanoUsd : null };
}

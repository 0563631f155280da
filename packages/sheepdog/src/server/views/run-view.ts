import { existsSync } from "node:fs";
import type { Policy } from "@sheepdog/guardian";
import type { RunDetail } from "@sheepdog/web/contract";
import { receivingRunId } from "../../run-commands/receiving-run.ts";
import { canContinue } from "../../saved-runs/resume-command.ts";
import { isLive } from "../../saved-runs/run-state.ts";
import { toUsd } from "../../sentences/amount-text.ts";
import { shortened } from "../../sentences/shortened.ts";
import type { ViewContext } from "../view-context.ts";
import { judgementsOf } from "./judgements-view.ts";
import { loadRun, policyFor } from "./run-data/load-run.ts";
import type { RunData } from "./run-data/run-data.ts";
import { gitBranch } from "./run-detail/git-branch.ts";
import { interventionViews } from "./run-detail/intervention-views.ts";
import { lede } from "./run-detail/lede.ts";
import { planViews } from "./run-detail/plan-views.ts";
import { resumeContextOf, withResume } from "./run-index/resume-fields.ts";
import type { RunTree } from "./run-index/run-index.ts";
import { goalState, runCost, runRow } from "./run-index/run-row.ts";

/** Characters of a prompt at the head of a run. */
const MAX_PROMPT_CHARS = 20_000;

/** The head of a run's page; undefined if the run is unknown. */
export async function runView(context: ViewContext, id: string): Promise<RunDetail | undefined> {
  const data = await loadRun(context, id);
  if (data === undefined) return undefined;
  const { summary, trace, subagents } = data;
  const { run } = summary;
  const isRunning = isLive(summary.state);
  const judgements = await judgementsOf(context);
  const policy = await policyFor(context, run.workspace ?? context.cwd);
  // The page of a demo shows what its events say; lists and sums count nothing.
  const shownRow = { ...runRow(data), costUsd: toUsd(runCost(data)) };
  const row = withResume(shownRow, summary, await resumeContextOf(context));
  const goal = goalState(data);
  return {
    run: { ...row, prompt: shortened(run.prompt, MAX_PROMPT_CHARS), ...subagentsWait(row, subagents) },
    lede: lede(data),
    text: isRunning ? null : (run.text ?? trace.end?.result.text ?? null),
    problem: trace.end?.result.problem ?? null,
    branch: isRunning && run.workspace !== undefined ? await gitBranch(run.workspace) : null,
    policy: policyOf(data),
    goal: run.goal === undefined || goal === null ? null : { text: run.goal.text, state: goal },
    maxContextTokens: trace.start?.maxContextTokens ?? null,
    interventions: interventionViews(data, (interventionId) => judgements.isRight(run.runId, interventionId)),
    rungs: rungsOf(data, policy),
    plans: planViews(data),
    subagents: subagents.map(runRow),
    otherRuns: data.sessionRuns
      .filter(({ runId }) => runId !== run.runId)
      .map(({ runId, prompt, startedAt }) => ({ id: runId, prompt: shortened(prompt, 200), startedAt })),
    accepts: await acceptedCommands(context, data, row),
  };
}

/** A run waits for the user if one of its subagents does. */
function subagentsWait(row: RunDetail["run"], subagents: readonly RunData[]): Partial<RunDetail["run"]> {
  if (row.waitsFor !== null || !row.isLive) return {};
  return { waitsFor: subagents.map(runRow).find(({ waitsFor }) => waitsFor !== null)?.waitsFor ?? null };
}

function policyOf({ trace: { start } }: RunData): RunDetail["policy"] {
  if (start?.mode === undefined) return null;
  return { preset: start.preset ?? "default", mode: start.mode, isAttended: start.isAttended ?? null };
}

/** The rungs of the detectors that occur in the run, as the configuration has them now. */
function rungsOf({ trace }: RunData, { detectors, attendedScale }: Policy): RunDetail["rungs"] {
  const scale = trace.start?.isAttended === true ? attendedScale : 1;
  const names = new Set<string>(trace.interventions.map(({ intervention }) => intervention.detector));
  return Object.fromEntries(
    Object.entries(detectors)
      .filter(([name]) => names.has(name))
      .map(([name, { hint = 0, warn = 0, block = 0, halt = 0 }]) => [
        name,
        { hint, warn, block: block * scale, halt: halt * scale },
      ]),
  );
}

function hasFolder(workspace: string | undefined): boolean {
  return workspace === undefined || existsSync(workspace);
}

/** A run of a subagent takes answers to its questions only. */
async function acceptedCommands(
  context: ViewContext,
  { kind, summary }: RunTree,
  { canFork, resumeCommand, resumeProblem }: RunDetail["run"],
): Promise<RunDetail["accepts"]> {
  if (kind === "recording") return [];
  const { run, state } = summary;
  const canResume = resumeCommand !== null && resumeProblem === null;
  const fork = canFork ? (["fork"] as const) : [];
  if (!isLive(state)) {
    const isContinuable = state === "completed" && canContinue(summary) && canFork && hasFolder(run.workspace);
    const next = isContinuable ? (["continue"] as const) : canResume ? (["resume"] as const) : [];
    return [...next, ...fork];
  }
  if (!(await context.port.canReceive(await receivingRunId(context, run)))) return [...fork];
  return run.billingSessionId === undefined
    ? ["stop", "steer", "limit", "mute", "answer", ...fork]
    : ["answer", ...fork];
}

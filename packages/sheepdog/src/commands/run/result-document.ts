import type { AgentEvent, GoalEvaluation, Reason, Run, RunResult, RunState } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { exitCode } from "../../exit-code.ts";
import { totalCostNanoUsd } from "../../render/timeline/run-cost.ts";

/** The calls that the gate refused: nobody could approve them, or they are never allowed. */
export interface RefusedCalls {
  readonly count: number;
  /** The names of their tools, each once. */
  readonly tools: readonly string[];
}

/** A second opinion. */
interface OpinionDocument {
  /** The id of the request. */
  readonly request: string;
  readonly verdict: OpinionGiven["verdict"];
  readonly advice?: string;
  readonly model?: string;
  /** null if the price is unknown. */
  readonly costUsd?: number | null;
  /** Why no model was asked. */
  readonly skipped?: string;
  /** Why the model gave no answer. */
  readonly problem?: string;
}

/** How far the run was from its goal when it was last judged. */
interface GoalDocument {
  /** null if there was none yet. */
  readonly verdict: JudgeVerdict["verdict"] | null;
  /** The hint or the reason of the verdict. */
  readonly reason?: string;
  /** The model that judged; absent if rules decided. */
  readonly model?: string;
  /** Why the model gave no verdict, or was not asked. */
  readonly problem?: string;
  readonly score?: number;
  readonly threshold?: number;
  readonly criteria?: GoalEvaluation["criteria"];
  readonly constraints?: GoalEvaluation["constraints"];
}

type JudgeVerdict = Extract<AgentEvent, { type: "JudgeVerdict" }>;
type GoalEvaluated = Extract<AgentEvent, { type: "GoalEvaluated" }>;

/** The newest judgement of the goal of a run. Both are absent in a run without a goal. */
export interface Judgement {
  readonly verdict?: JudgeVerdict;
  readonly evaluation?: GoalEvaluated;
}

export type OpinionGiven = Extract<AgentEvent, { type: "OpinionGiven" }>;

/** The document that `--json` prints, and `--stream-json` prints as its last line. */
export interface ResultDocument {
  readonly schemaVersion: 1;
  readonly state: RunState;
  /** null if the run did not start. */
  readonly reason: Reason | null;
  readonly exitCode: number;
  /** The user stopped the run when asked; `reason` says what the question was about. */
  readonly isStoppedByUser?: true;
  /** The answer; without an answer, a summary of what was done and what failed. */
  readonly text: string;
  /** One sentence about what went wrong, if something did. */
  readonly problem?: string;
  readonly usage: RunResult["usage"] | null;
  /** Includes the subagents. */
  readonly costUsd: number | null;
  readonly sessionId: string | null;
  readonly runId: string | null;
  /** `provider:id` */
  readonly model: string | null;
  readonly turns: number;
  readonly interventions: readonly (Omit<Intervention, "costNanoUsd"> & { readonly costUsd?: number })[];
  readonly refusedCalls: RefusedCalls;
  readonly secondOpinions: readonly OpinionDocument[];
  /** Absent if the run had no goal, or ended before the goal was judged. */
  readonly goal?: GoalDocument;
  /** The command that resumes the run; null if there is nothing to resume. */
  readonly resume: string | null;
}

/** The document of a run that has ended. */
export function resultDocument(
  result: RunResult,
  {
    model,
    refused,
    opinions,
    judgement,
    resume,
  }: {
    readonly model: string;
    readonly refused: RefusedCalls;
    readonly opinions: readonly OpinionGiven[];
    readonly judgement: Judgement;
    readonly resume: string | undefined;
  },
): ResultDocument {
  const { state, reason, exitCode, text, problem, usage, sessionId, runId, turns, interventions } = result;
  const totalNanoUsd = totalCostNanoUsd(result);
  return {
    schemaVersion: 1,
    state,
    reason,
    exitCode,
    ...(result.isStoppedByUser === true ? { isStoppedByUser: true } : {}),
    text,
    ...(problem === undefined ? {} : { problem }),
    usage,
    costUsd: totalNanoUsd === null ? null : totalNanoUsd / 1e9,
    sessionId,
    runId,
    model,
    turns,
    interventions: interventions.map(({ costNanoUsd: nanoUsd, ...rest }) => ({
      ...rest,
      ...(nanoUsd === undefined ? {} : { costUsd: nanoUsd / 1e9 }),
    })),
    refusedCalls: refused,
    secondOpinions: opinions.map(opinionDocument),
    ...goalDocument(judgement),
    resume: resume ?? null,
  };
}

function goalDocument({ verdict, evaluation }: Judgement): { readonly goal?: GoalDocument } {
  if (verdict === undefined && evaluation === undefined) return {};
  const { reason, model, problem } = verdict ?? {};
  return {
    goal: {
      verdict: verdict?.verdict ?? null,
      ...(reason === undefined ? {} : { reason }),
      ...(model === undefined ? {} : { model }),
      ...(problem === undefined ? {} : { problem }),
      ...(evaluation === undefined
        ? {}
        : {
            score: evaluation.score,
            threshold: evaluation.threshold,
            criteria: evaluation.criteria,
            constraints: evaluation.constraints,
          }),
    },
  };
}

function opinionDocument({ request, verdict, advice, model, costNanoUsd, skipped, problem }: OpinionGiven) {
  const costUsd = costNanoUsd === undefined || costNanoUsd === null ? costNanoUsd : costNanoUsd / 1e9;
  return {
    request,
    verdict,
    ...(advice === undefined ? {} : { advice }),
    ...(model === undefined ? {} : { model }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The document of a run that did not start. */
export function notStartedDocument(problem: string, exitCode: number): ResultDocument {
  return {
    schemaVersion: 1,
    state: "error",
    reason: null,
    exitCode,
    text: "",
    problem,
    usage: null,
    costUsd: null,
    sessionId: null,
    runId: null,
    model: null,
    turns: 0,
    interventions: [],
    refusedCalls: { count: 0, tools: [] },
    secondOpinions: [],
    resume: null,
  };
}

/** The document of a process that crashes during a run. Only the stores know what the run has done. */
export function crashDocument(
  { sessionId, runId }: Pick<Run, "sessionId" | "runId">,
  problem: string,
  resume: string | undefined,
): ResultDocument {
  return {
    ...notStartedDocument(problem, exitCode.failed),
    reason: "internal_error",
    sessionId,
    runId,
    resume: resume ?? null,
  };
}

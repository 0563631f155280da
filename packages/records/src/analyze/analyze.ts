import {
  type Intervention,
  initialState,
  type Level,
  limitNames,
  type Policy,
  plainWords,
  type Signal,
  step,
  type Words,
} from "@sheepdog/guardian";
import type { Opinion } from "@sheepdog/guardian/opinion";
import { sha256 } from "../platform/sha256.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { collectEpisodes, type FoundEpisode } from "./found-episode.ts";
import { hasOpinions, observingPolicy, withoutStop } from "./observing.ts";
import { createQuestions, type FindOpinion, type Question } from "./question.ts";
import { runNanoUsd, toUsd, unpricedTokens } from "./recorded-costs.ts";
import type { ReportedIntervention, ReportedOpinion, RunReport } from "./report.ts";
import { signalsOf } from "./signals.ts";
import { collectRepeats, stuckStretch } from "./stuck-stretch.ts";

/**
 * Runs the guardian over a recorded run and reports where it would have intervened and with which message. With
 * `findOpinion`, second opinions are asked for as the policy says, and each answer counts from its question on.
 */
export function analyze(run: RecordedRun, policy: Policy, findOpinion?: FindOpinion): RunReport {
  return analyzeRun(run, policy, findOpinion).report;
}

/** The report of a run with its episodes. */
export interface RunAnalysis {
  readonly report: RunReport;
  /** In the order of their first interventions. Limits have none. */
  readonly episodes: readonly FoundEpisode[];
  /** The calls that repeat an earlier one, of all episodes. */
  readonly repeats: ReadonlySet<number>;
}

/** The same with the episodes: all interventions about one cause, with the calls that repeat. */
export function analyzeRun(run: RecordedRun, policy: Policy, findOpinion?: FindOpinion): RunAnalysis {
  const observing = observingPolicy(policy, { isAsking: findOpinion !== undefined, isRecorded: hasOpinions(run) });
  const words: Words = (finding, level, facts) => plainWords(finding, reportedLevel(policy, level), facts);
  const interventions: ReportedIntervention[] = [];
  const episodes = collectEpisodes();
  const opinions: ReportedOpinion[] = [];
  const repeats = collectRepeats();
  const questionFor = createQuestions(run);
  let state = initialState(sha256.name);
  let lastFinishedCall = -1;

  function take(signal: Signal, turn: number): void {
    const result = step(observing, state, signal, words);
    state = withoutStop(result.state);
    if (signal.type === "result") {
      lastFinishedCall = Number(signal.id);
      repeats.addFindings(state);
    }
    for (const intervention of result.interventions) {
      if (isRepeatedLimitHalt(intervention, interventions)) continue;
      const { detector, message, evidence } = intervention;
      const level = reportedLevel(policy, intervention.level);
      const reported = { call: lastFinishedCall, turn, detector, level, message, evidence };
      interventions.push(reported);
      episodes.add(intervention, reported);
    }
    for (const request of result.asked) {
      const question = questionFor(request);
      const opinion = findOpinion?.(question);
      opinions.push(reportedOpinion(question, turn, opinion));
      if (opinion !== undefined) take({ type: "opinion", at: signal.at, request: request.id, ...opinion }, turn);
    }
    if (signal.type === "turn-end") repeats.endTurn(state);
  }

  for (const { signal, step: recordedStep } of signalsOf(run, policy)) take(signal, recordedStep.turn);
  const nanoUsd = runNanoUsd(run.steps);
  const report: RunReport = {
    id: run.id,
    source: run.source ?? null,
    model: run.model ?? null,
    calls: run.steps.reduce((sum, { calls }) => sum + calls.length, 0),
    turns: run.steps.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
    unpricedTokens: unpricedTokens(run.steps),
    interventions,
    stuck: stuckStretch(run.steps, repeats.calls()),
    ...(findOpinion === undefined || observing.secondOpinion === "off" ? {} : { opinions }),
  };
  return { report, episodes: episodes.finish(run.steps, repeats), repeats: repeats.calls() };
}

function reportedOpinion(
  { id, call, detector, level }: Question,
  turn: number,
  opinion: Opinion | undefined,
): ReportedOpinion {
  const { verdict = null, advice = null } = opinion ?? {};
  return { id, call, turn, detector, level, verdict, advice };
}

/** In mode `advise` calls are never denied: the level that would deny them is a second warning. */
function reportedLevel(policy: Policy, level: Level): Level {
  return policy.mode === "advise" && level === "block" ? "warn" : level;
}

/** A limit is reported once per run, although each message of a person resets it in the guardian. */
function isRepeatedLimitHalt(
  { detector, level }: Intervention,
  earlierInterventions: readonly ReportedIntervention[],
): boolean {
  return (
    level === "halt" &&
    limitNames.some((name) => name === detector) &&
    earlierInterventions.some((earlier) => earlier.detector === detector && earlier.level === "halt")
  );
}

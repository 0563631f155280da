import { basename } from "node:path";
import type { Policy } from "@sheepdog/guardian";
import {
  analyzeRun,
  costShares,
  type FindOpinion,
  type FoundEpisode,
  modelUsage,
  type RecordedRun,
  type ReportedIntervention,
  remainingSpend,
} from "@sheepdog/records";
import type { Sentence } from "@sheepdog/web/contract";
import { recordingId } from "../recordings/recording-entry.ts";
import { isLimit } from "../render/timeline/is-limit.ts";
import { activeTime } from "./active-time.ts";
import { callRanges } from "./call-ranges.ts";
import { episodeSentence } from "./episode-sentence.ts";
import { evidenceOf } from "./evidence.ts";
import { isGoodOutcome } from "./good-outcome.ts";
import type { EpisodeFacts, EpisodeIntervention, LookBackRun } from "./look-back-run.ts";
import { type PlacedCall, placedCalls } from "./placed-calls.ts";
import { factsOfReport } from "./run-facts.ts";

/** Where a run stands, and by which policy it is judged. */
export interface RunPlace {
  readonly file: string;
  readonly line: number;
  /** How many runs before it in the file have the same id. */
  readonly sameIds: number;
  readonly policy: Policy;
  readonly findOpinion?: FindOpinion;
}

/** Analyzes a run whose secrets are masked and whose steps are priced, and keeps what reports need. */
export function lookBackRun(run: RecordedRun, { file, line, sameIds, policy, findOpinion }: RunPlace): LookBackRun {
  const { report, episodes, repeats } = analyzeRun(run, policy, findOpinion);
  const calls = placedCalls(run);
  const times = calls.flatMap(({ step, call }) => call.at ?? step.at ?? []);
  for (const { at } of run.steps) if (at !== undefined) times.push(at);
  const endedAt = times.length === 0 ? null : times.reduce((a, b) => Math.max(a, b));
  const { model = null, project: folder = null, task = null, outcome = null, parent = null } = run;
  return {
    id: recordingId(file, run.id, sameIds),
    recordedId: run.id,
    source: run.source ?? "trajectory",
    file,
    line,
    model,
    folder,
    project: folder === null || folder === "" ? null : basename(folder) || folder,
    task: task === null ? null : shortText(task, 2_000),
    outcome: outcome === null ? null : shortText(outcome, 200),
    isGood: isGoodOutcome(run.outcome),
    parent,
    ...(run.isExcerpt === undefined ? {} : { isExcerpt: run.isExcerpt }),
    ...(run.guardian === undefined ? {} : { isOfHooks: true as const }),
    at: endedAt ?? undefined,
    startedAt: times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b)),
    endedAt,
    report,
    facts: factsOfReport(run, policy, { report, episodes }),
    episodes: episodes.map((episode) => episodeFacts(episode, run, calls)),
    limits: report.interventions
      .filter(({ detector }) => isLimit(detector))
      .map((reported) => ({ limit: reported.detector, ...episodeIntervention(reported, run, calls) })),
    ...(policy.mode === "observe" ? { isObserveOnly: true } : {}),
    failedCalls: callRanges(calls.flatMap(({ index, call }) => (call.isError === true ? index : []))),
    usage: modelUsage(run),
    shares: {
      tools: costShares(run, repeats, "tools"),
      models: costShares(run, repeats, "models"),
      hours: costShares(run, repeats, "hours"),
    },
    counting: run.counting ?? {},
  };
}

function episodeFacts(episode: FoundEpisode, run: RecordedRun, calls: readonly PlacedCall[]): EpisodeFacts {
  const own = episode.calls.flatMap((index) => calls[index] ?? []);
  const times = own.flatMap(({ step, call }) => call.at ?? step.at ?? []);
  const repeats = new Set(episode.repeats);
  const children = own.flatMap(({ index, call }) => (repeats.has(index) ? (call.child ?? []) : []));
  return {
    detector: episode.detector,
    tool: episode.tool,
    sentence: episodeSentence(episode, own),
    times: episode.times,
    repeats: episode.repeats.length,
    repeatedCalls: callRanges(episode.repeats),
    costUsd: episode.costUsd,
    children: [...new Set(children)],
    startedAt: times[0] ?? null,
    endedAt: times.at(-1) ?? null,
    activeMs: activeTime(momentsBetween(calls, own)),
    interventions: episode.interventions.map((intervention, place) => ({
      ...episodeIntervention(intervention, run, calls),
      sentence: sentenceAt(episode, place, own),
    })),
    evidence: evidenceOf(own),
  };
}

/** The times of all calls from the first of an episode to its last. */
function momentsBetween(calls: readonly PlacedCall[], own: readonly PlacedCall[]): readonly number[] {
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return [];
  return calls.slice(first.index, last.index + 1).flatMap(({ step, call }) => call.at ?? step.at ?? []);
}

/** What had repeated at an intervention. */
function sentenceAt(episode: FoundEpisode, place: number, own: readonly PlacedCall[]): Sentence {
  const { call: until = Number.POSITIVE_INFINITY, detector = episode.detector } = episode.interventions[place] ?? {};
  const times = episode.timesAt[place] ?? episode.times;
  const { tool } = episode;
  return episodeSentence(
    { detector: detector as FoundEpisode["detector"], tool, times }, // an episode is about no limit
    own.filter(({ index }) => index <= until),
  );
}

function episodeIntervention(
  { level, call, turn, message }: ReportedIntervention,
  run: RecordedRun,
  calls: readonly PlacedCall[],
): EpisodeIntervention {
  const last = calls[call];
  const remaining = remainingSpend(run, { call, turn });
  return {
    level,
    call,
    turn,
    at: last?.call.at ?? last?.step.at ?? null,
    message,
    remaining: { calls: remaining.calls, costUsd: remaining.costUsd },
  };
}

/** A text that shares no memory with the recording. */
function shortText(text: string, maxChars: number): string {
  return Buffer.from(text.slice(0, maxChars)).toString("utf8");
}

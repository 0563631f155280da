import { type DetectorName, detectorNames } from "../policy/detector-rungs.ts";
import type { Policy } from "../policy/policy.ts";
import { isForce, type Level } from "../policy/rungs.ts";
import { ruleFor } from "../policy/tool-rule.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import type { Finding } from "../state/finding.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import { createIntervention, type Intervention } from "../state/intervention.ts";
import type { OpinionRequest } from "../state/opinion.ts";
import type { StepContext, StepOutput } from "../state/step-context.ts";
import { factWithCost } from "../words.ts";
import { stopReasonOf } from "./detectors/index.ts";
import { extendEpisode, isAbout, openEpisode, storeEpisode } from "./episodes.ts";
import { hasReached, mayWait, remainingLevels, rungsOf } from "./reached-level.ts";
import { settleCalls } from "./recovery.ts";
import { adviceOf, createRequest, needsOpinion, withRequest } from "./second-opinion.ts";

/**
 * Turns findings into interventions. Each episode climbs one rung at a time and uses each level once,
 * so that a message always comes before a refusal.
 */
export function climb(context: StepContext, findings: readonly Finding[]): Climbing {
  const { state } = context;
  const interventions: Intervention[] = [];
  const asked: OpinionRequest[] = [];
  for (const finding of actionableFindings(context, findings)) {
    if (state.stopped !== undefined) break;
    const { intervention, request } = climbOne(context, finding);
    if (request !== undefined) asked.push(request);
    if (intervention === undefined) continue;
    interventions.push(intervention);
    if (intervention.effect !== "stop" || !intervention.isApplied) continue;
    const { id, message } = intervention;
    state.stopped = { reason: stopReasonOf(finding.detector), intervention: id, message };
  }
  return { interventions, asked };
}

type Climbing = Pick<StepOutput, "interventions" | "asked">;

/**
 * The findings to act on, in the order in which they name a cause. A mute of the first name of a cause mutes all its
 * names.
 */
export function actionableFindings({ policy, state }: StepContext, findings: readonly Finding[]): readonly Finding[] {
  const muted = new Set<number | string>();
  return findings
    .filter((finding) => isDetectorOn(policy, finding))
    .sort((a, b) => rank(a) - rank(b) || b.count - a.count)
    .filter((finding) => {
      const newestCall = finding.evidence.at(-1) ?? finding.cause;
      if (isMuted(state, finding)) muted.add(newestCall);
      return !muted.has(newestCall);
    });
}

function rank({ detector }: Finding): number {
  return detectorNames.indexOf(detector as DetectorName); // limits are not judged by the ladder
}

function isDetectorOn(policy: Policy, finding: Finding): boolean {
  const off = ruleFor(policy, finding.tool)?.off;
  return rungsOf(policy, finding) !== undefined && off !== "all" && !off?.some((name) => name === finding.detector);
}

function isMuted({ mutes }: GuardianState, finding: Finding): boolean {
  return mutes.some(
    ({ detector, tool, call }) =>
      (detector === undefined || detector === finding.detector) &&
      (tool === undefined || tool === finding.tool) &&
      (call === undefined || finding.prints.includes(call)),
  );
}

interface ClimbedOne {
  readonly intervention?: Intervention;
  readonly request?: OpinionRequest;
}

/** Adds a finding to its episode, and intervenes or asks for a second opinion if it has reached the next rung. */
function climbOne(context: StepContext, found: Finding): ClimbedOne {
  const { policy, state } = context;
  const openedBefore =
    state.episodes.find(({ cause }) => cause === found.cause) ??
    state.episodes.find((episode) => isAbout(episode, found));
  const isMutedEpisode = openedBefore?.isMuted === true;
  // Another name for the muted calls: what else it is about is judged under its own name.
  if (isMutedEpisode && openedBefore.cause !== found.cause) return {};
  const finding = withMutedCount(found, openedBefore);
  const reachedLevel = nextLevel(context, finding, openedBefore);
  const levelToAskAbout = needsOpinion(context, finding, { episode: openedBefore, reachedLevel });
  if (openedBefore === undefined && reachedLevel === undefined && levelToAskAbout === undefined) return {};
  const hasSpokenThisTurn = openedBefore?.lastNoticeTurn === state.turn && !finding.isUrgent;
  const isAwaited = reachedLevel === levelToAskAbout && mayWait(policy, finding);
  const level = hasSpokenThisTurn || isAwaited ? undefined : reachedLevel;
  const extended = extendEpisode(openedBefore ?? openEpisode(state, finding), {
    finding,
    turn: state.turn,
    level,
    isObserving: policy.mode === "observe",
    isBlocking:
      !(isAwaited && reachedLevel === "block") &&
      hasReached(context, finding, { level: "block", episode: openedBefore }),
  });
  const isFirstOfTurn = openedBefore?.lastFindingTurn !== state.turn;
  const judged = isMutedEpisode ? settleMuted(state, extended, { finding, isFirstOfTurn }) : extended;
  const request = levelToAskAbout && createRequest(context, { finding, level: levelToAskAbout, episode: judged });
  const episode = request === undefined ? judged : withRequest(judged, { request, finding, turn: state.turn });
  state.episodes = storeEpisode(state.episodes, episode);
  if (openedBefore === undefined) state.issuedIds++;
  const isFirst = openedBefore?.level === undefined;
  return {
    ...(level === undefined ? {} : { intervention: intervene(context, { finding, level, episode, isFirst }) }),
    ...(request === undefined ? {} : { request }),
  };
}

/** The calls of a muted episode no longer count elsewhere, so they are added here. The count of a refusal has them. */
function withMutedCount(finding: Finding, episode: Episode | undefined): Finding {
  const mutedCount = episode?.mutedCount ?? 0;
  if (mutedCount === 0 || finding.prints.length === 0) return finding; // a refusal has no prints
  const { count, exactCount, times = Math.round(count) } = finding;
  return {
    ...finding,
    count: count + mutedCount,
    exactCount: exactCount === undefined ? undefined : exactCount + mutedCount,
    times: times + Math.round(mutedCount),
  };
}

/**
 * The calls of a muted episode count for it alone, so that the calls around them are judged without them. They count
 * once, whichever detectors find them.
 */
function settleMuted(
  state: Draft,
  episode: Episode,
  { finding, isFirstOfTurn }: { readonly finding: Finding; readonly isFirstOfTurn: boolean },
): Episode {
  const { evidence, count, period = 1 } = finding;
  settleCalls(state, new Set(evidence));
  if (!isFirstOfTurn) return episode;
  const { mutedCount = 0 } = episode;
  return { ...episode, mutedCount: mutedCount + (count - mutedCount) / period }; // each call of a cycle counts its laps
}

/** The next level above the highest so far, if the count has reached its rung. */
function nextLevel(context: StepContext, finding: Finding, episode: Episode | undefined): Level | undefined {
  const levelsAbove = remainingLevels(context.policy, finding, episode);
  const reached = levelsAbove.filter((level) => hasReached(context, finding, { level, episode }));
  if (finding.skipsLevels) return reached.at(-1);
  return reached.find((level) => level === levelsAbove[0]);
}

interface Climbed {
  readonly finding: Finding;
  readonly level: Level;
  readonly episode: Episode;
  readonly isFirst: boolean;
}

function intervene({ policy, state, words }: StepContext, { finding, level, episode, isFirst }: Climbed): Intervention {
  const runCost = state.limits["run-cost"]?.used;
  const cost = runCost === undefined ? {} : { costNanoUsd: Math.max(0, runCost - episode.costAtStartNanoUsd) };
  const isSecondWarning = level === "block" && policy.mode === "advise";
  const shownLevel = isSecondWarning ? "warn" : level;
  const isQuestion =
    state.attended && policy.mode !== "observe" && !episode.isMuted && isForce(shownLevel, policy.mode);
  return createIntervention(finding, {
    // After a mute, a level that was only recorded is reached again.
    id: `${episode.id}/${level}${episode.isUnmuted ? `/${++state.issuedIds}` : ""}`,
    level: shownLevel,
    effect: effectOf(shownLevel, finding),
    call: finding.call ?? state.callCount - 1,
    message: words(finding, shownLevel, {
      ...cost,
      denials: episode.denials,
      isFirst,
      secondOpinion: adviceOf(episode, finding),
    }),
    ...(isQuestion ? { question: factWithCost(finding, cost) } : {}),
    ...cost,
    isApplied: policy.mode !== "observe" && episode.isMuted !== true,
  });
}

function effectOf(level: Level, finding: Finding): Intervention["effect"] {
  if (level === "halt") return "stop";
  if (level === "block") return "deny";
  return finding.effect ?? "tell";
}

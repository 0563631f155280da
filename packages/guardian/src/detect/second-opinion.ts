import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Policy } from "../policy/policy.ts";
import { isForce, type Level } from "../policy/rungs.ts";
import type { Episode } from "../state/episode.ts";
import type { Finding } from "../state/finding.ts";
import { noOpinions, type OpenRequest, type OpinionRequest } from "../state/opinion.ts";
import type { StepContext } from "../state/step-context.ts";
import { factOf } from "../words.ts";
import { denialsOf, effectiveRung, remainingLevels, verdictAbout } from "./reached-level.ts";

/** The most requests about one episode. */
const MAX_REQUESTS = 3;

interface Reached {
  readonly episode: Episode | undefined;
  /** The level that the rules have reached now. */
  readonly reachedLevel: Level | undefined;
}

/** The level about which an opinion is wanted now, before it is applied. */
export function needsOpinion(
  context: StepContext,
  finding: Finding,
  { episode, reachedLevel }: Reached,
): Level | undefined {
  const { policy } = context;
  if (policy.secondOpinion === "off" || !isAboutCalls(finding) || !mayAsk(policy, finding, episode)) return undefined;
  const remaining = remainingLevels(policy, finding, episode);
  const next =
    reachedLevel !== undefined && !isForce(reachedLevel, policy.mode)
      ? levelAfter(remaining, reachedLevel)
      : remaining[0];
  if (next === undefined || isUndecided(episode, next, finding)) return undefined;
  if (isForce(next, policy.mode)) {
    // Asked with the last message before it, or one call before it.
    const count = finding.count + denialsOf(finding, episode);
    const isNear = count + 1 >= effectiveRung(context, finding, { level: next, episode });
    return isNear || reachedLevel !== undefined ? next : undefined;
  }
  if (policy.secondOpinion !== "always" || episode?.level !== undefined || hasAskedLately(context)) return undefined;
  return finding.count >= effectiveRung(context, finding, { level: "suspect", episode }) ? next : undefined;
}

/** Turns between two questions about suspicions. */
const SUSPICION_TURNS = 5;

function hasAskedLately({ state }: StepContext): boolean {
  return state.episodes.some(
    ({ opinions }) => opinions?.askedAtTurn !== undefined && state.turn - opinions.askedAtTurn < SUSPICION_TURNS,
  );
}

/** The answer about this level was `unsure`, and there is not much more to read than then. */
function isUndecided(episode: Episode | undefined, level: Level, { count }: Finding): boolean {
  const { undecided, askedAtCount = 0 } = episode?.opinions ?? noOpinions;
  return level === undecided && count < 2 * askedAtCount;
}

/** Streams, time and subagents are not calls that a model could read; the seed systems have no second opinion. */
function isAboutCalls({ evidence, pendingIds, skipsLevels }: Finding): boolean {
  return evidence.length > 0 && pendingIds === undefined && skipsLevels === undefined;
}

function mayAsk({ mode }: Policy, finding: Finding, episode: Episode | undefined): boolean {
  if (episode === undefined) return true;
  const { asked, open } = episode.opinions ?? noOpinions;
  // Where a request stays without an answer, the next one would as well.
  const isUnanswered = open !== undefined && (open.isObserveOnly !== true || mode === "observe");
  if (episode.isMuted || isUnanswered || asked >= MAX_REQUESTS) return false;
  return verdictAbout(episode, finding) !== "stuck";
}

function levelAfter(remaining: readonly Level[], level: Level): Level | undefined {
  return remaining[remaining.indexOf(level) + 1];
}

interface RequestInput {
  readonly finding: Finding;
  readonly level: Level;
  readonly episode: Episode;
}

export function createRequest(
  { policy, state }: StepContext,
  { finding, level, episode }: RequestInput,
): OpinionRequest {
  const { asked } = episode.opinions ?? noOpinions;
  return {
    id: `${episode.id}/ask/${asked + 1}`,
    detector: finding.detector as DetectorName, // a limit wants no opinion
    level,
    call: finding.call ?? state.callCount - 1,
    evidence: finding.evidence,
    count: finding.count,
    tool: finding.tool,
    fact: factOf(finding),
    isApplied: policy.mode !== "observe",
  };
}

interface Asked {
  readonly request: OpinionRequest;
  readonly finding: Finding;
  readonly turn: number;
}

/** Notes the request in its episode. */
export function withRequest(episode: Episode, { request, finding, turn }: Asked): Episode {
  const { id, level, isApplied } = request;
  const { cause, tool, count } = finding;
  const opinions = episode.opinions ?? noOpinions;
  const open = {
    id,
    level,
    turn,
    finding: storedFinding(finding),
    ...(isApplied ? {} : { isObserveOnly: true as const }),
  };
  return {
    ...episode,
    opinions: {
      ...opinions,
      asked: opinions.asked + 1,
      askedAtCount: count,
      askedAtTurn: turn,
      about: { cause, tool },
      open,
    },
  };
}

/** What a hint needs later. The quoted line of a result is not stored. */
function storedFinding({
  excerpt: _,
  words: __,
  prints: ___,
  similarCalls: ____,
  ...stored
}: Finding): OpenRequest["finding"] {
  return stored;
}

/** The advice of an opinion that the agent is stuck. */
export function adviceOf(episode: Episode, finding: Finding): string | undefined {
  return verdictAbout(episode, finding) === "stuck" ? episode.opinions?.advice : undefined;
}

import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Policy } from "../policy/policy.ts";
import { isForce, type Level, levels, type Rungs } from "../policy/rungs.ts";
import { ruleFor } from "../policy/tool-rule.ts";
import type { Verdict } from "../signal.ts";
import type { Episode } from "../state/episode.ts";
import type { Finding } from "../state/finding.ts";
import type { StepContext } from "../state/step-context.ts";

/** A count may fall short of its rung by this much, because evidence is graded. */
const SLACK = 0.2;

/** The rungs of a finding's detector. */
export function rungsOf({ detectors }: Policy, { detector }: Pick<Finding, "detector">): Rungs | undefined {
  return detectors[detector as DetectorName]; // a limit is no key of it, and has no rungs
}

/** The levels with a rung above the highest level of an episode so far. */
export function remainingLevels(policy: Policy, finding: Finding, episode: Episode | undefined): readonly Level[] {
  const rungs = rungsOf(policy, finding) ?? {};
  const hadNoEffect = episode?.isObserveOnly === true && policy.mode !== "observe";
  const highestSoFar = hadNoEffect || episode?.level === undefined ? -1 : levels.indexOf(episode.level);
  return levels.filter((level, i) => i > highestSoFar && rungs[level]);
}

/** Turns for which a level waits for an answer. Then the rules decide. */
const WAITING_TURNS = 2;

/** Whether a level of an episode waits for an opinion. */
function isHeld({ policy, state }: StepContext, finding: Finding, { level, episode }: LevelOf): boolean {
  const open = episode?.opinions?.open;
  if (open === undefined || open.isObserveOnly || !mayWait(policy, finding)) return false;
  if (state.turn - open.turn > WAITING_TURNS) return false;
  return levels.indexOf(level) >= levels.indexOf(open.level);
}

/** In `observe` mode nothing waits, and a side effect must not happen once more while the question is open. */
export function mayWait({ mode }: Policy, { detector }: Finding): boolean {
  return mode !== "observe" && detector !== "side-effect-repeat";
}

/** A level, and the episode that the finding belongs to, if there is one. */
export interface LevelOf {
  readonly level: Level;
  readonly episode: Episode | undefined;
}

/** Whether a finding has reached the rung of a level, and no second opinion is awaited. */
export function hasReached(context: StepContext, finding: Finding, { level, episode }: LevelOf): boolean {
  const count = countFor(context, finding, { level, episode }) + denialsOf(finding, episode);
  return count >= effectiveRung(context, finding, { level, episode }) && !isHeld(context, finding, { level, episode });
}

/**
 * What is only similar may be mentioned. A refusal and the end of the run need exact repetition, or a second opinion
 * that agrees.
 */
function countFor({ policy }: StepContext, finding: Finding, { level, episode }: LevelOf): number {
  const { count, exactCount = count } = finding;
  return isForce(level, policy.mode) && verdictAbout(episode, finding) !== "stuck" ? exactCount : count;
}

/** The newest opinion about an episode, if it is about the calls of this finding. */
export function verdictAbout(episode: Episode | undefined, finding: Finding): Verdict | undefined {
  const { about, verdict } = episode?.opinions ?? {};
  if (about === undefined) return undefined;
  const isSame = about.cause === finding.cause || about.tool === finding.tool;
  return isSame ? verdict : undefined;
}

/** Refused attempts count for the call that was refused, and for calls that are nearly the same. */
export function denialsOf({ cause, tool }: Finding, episode: Episode | undefined): number {
  const isSame =
    episode?.cause === cause || (episode?.similarCalls !== undefined && tool === episode.similarCalls.tool);
  return isSame ? (episode?.denials ?? 0) : 0;
}

/** The count that reaches a level for this tool, this run and this episode; infinite when the level has no rung. */
export function effectiveRung(
  { policy, state }: StepContext,
  finding: Finding,
  { level, episode }: { readonly level: Level | "suspect"; readonly episode: Episode | undefined },
): number {
  const rung = rungsOf(policy, finding)?.[level] ?? 0;
  if (rung <= 0) return Number.POSITIVE_INFINITY;
  const toolScale = ruleFor(policy, finding.tool)?.scale ?? 1;
  const isForceful = level === "block" || level === "halt";
  const attendedScale = state.attended && isForceful ? policy.attendedScale : 1;
  const scaled = rung * (toolScale * attendedScale);
  return Math.max(scaled, Math.min(scaled * patience(finding, episode), MAX_PATIENT_COUNT)) - SLACK;
}

/** Higher rungs could not be reached, because older calls are forgotten. */
const MAX_PATIENT_COUNT = 100;

/** Opinions that the agent is working make the rungs higher, at most threefold. They permit no further side effect. */
function patience(finding: Finding, episode: Episode | undefined): number {
  if (verdictAbout(episode, finding) === undefined || finding.detector === "side-effect-repeat") return 1;
  return 1 + Math.min(episode?.opinions?.working ?? 0, 2);
}

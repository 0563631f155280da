import type { Intervention } from "../intervention.ts";
import { type DetectorName, type Level, levels, type Policy, ruleFor } from "../policy.ts";
import { bounds, type Episode, type GuardianState, type StopReason } from "../state.ts";
import type { Words } from "../words.ts";
import { detectors } from "./detectors/index.ts";
import type { Finding } from "./finding.ts";

/** A count may fall short of its rung by this much: evidence is graded. */
const SLACK = 0.2;

const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const satisfies Record<Level, number>;

const order = new Map<DetectorName, number>(detectors.map(({ name }, place) => [name, place]));
const reasons = new Map<DetectorName, StopReason>(detectors.map(({ name, reason }) => [name, reason]));

/** Turns what was found in a turn into interventions: per episode one rung at a time, each level once, so that a word always comes before a bite. */
export function climb(policy: Policy, state: GuardianState, words: Words): { readonly state: GuardianState; readonly interventions: readonly Intervention[] } {
  const interventions: Intervention[] = [];
  let next: GuardianState = { ...state, found: [] };
  for (const finding of heard(policy, state)) {
    if (next.stopped !== undefined) break;
    const known = next.episodes.find((episode) => isAbout(episode, finding));
    const level = nextLevel(policy, state, finding, known);
    if (known === undefined && level === undefined) continue;
    const says = known?.saidInTurn === state.turn ? undefined : level;
    const episode = extended(known ?? opened(next, finding), finding, says, next);
    next = { ...next, episodes: kept(next.episodes, episode), opened: known === undefined ? next.opened + 1 : next.opened };
    if (says === undefined) continue;
    const intervention = intervene(policy, next, finding, says, episode, words);
    interventions.push(intervention);
    if (intervention.effect === "stop" && intervention.isApplied)
      next = { ...next, stopped: { reason: reasons.get(finding.detector) ?? "no_progress", intervention: intervention.id } };
  }
  return { state: next, interventions };
}

/** A finding belongs to an episode of its cause, to one that has seen the same calls, or to one since which nothing novel has happened. */
function isAbout(episode: Episode, finding: Finding): boolean {
  if (episode.cause === finding.cause || (!episode.isClosed && episode.novelCalls === 0)) return true;
  return finding.evidence.some((index) => episode.calls.includes(index));
}

/** The findings to act on, in the order in which they name a cause. What a person calls fine under its first name is fine under every other. */
function heard(policy: Policy, state: GuardianState): readonly Finding[] {
  const inOrder = state.found.filter((finding) => isWatched(policy, finding)).sort((a, b) => place(a) - place(b) || b.count - a.count);
  const fine = new Set<number | undefined>();
  return inOrder.filter((finding) => {
    if (isMuted(state, finding)) fine.add(finding.evidence.at(-1));
    return !fine.has(finding.evidence.at(-1));
  });
}

/** Off by policy or by a tool's rule: then nobody looks. */
function isWatched(policy: Policy, finding: Finding): boolean {
  const off = ruleFor(policy, finding.tool)?.off;
  return policy.detectors[finding.detector] !== undefined && off !== "all" && !off?.includes(finding.detector);
}

function isMuted(state: GuardianState, finding: Finding): boolean {
  return state.mutes.some(
    (mute) =>
      (mute.detector === undefined || mute.detector === finding.detector) &&
      (mute.tool === undefined || mute.tool === finding.tool) &&
      (mute.call === undefined || finding.prints.includes(mute.call)),
  );
}

function place(finding: Finding): number {
  return order.get(finding.detector) ?? order.size;
}

/** The next level above what was said, if the count has reached its rung as it holds for this tool and this run. */
function nextLevel(policy: Policy, state: GuardianState, finding: Finding, episode: Episode | undefined): Level | undefined {
  const rungs = policy.detectors[finding.detector] ?? {};
  const said = episode?.level;
  const next = levels.find((level) => rungs[level] !== undefined && (said === undefined || rank[level] > rank[said]));
  if (next === undefined) return undefined;
  const patience = (ruleFor(policy, finding.tool)?.scale ?? 1) * (state.attended && rank[next] >= rank.block ? policy.attendedScale : 1);
  return finding.count + (episode?.denials ?? 0) >= (rungs[next] ?? 0) * patience - SLACK ? next : undefined;
}

function opened(state: GuardianState, finding: Finding): Episode {
  const first = finding.evidence[0] ?? -1;
  return {
    id: `e${state.opened + 1}`,
    cause: finding.cause,
    detector: finding.detector,
    since: first,
    calls: [],
    count: 0,
    level: undefined,
    saidInTurn: -1,
    heardInTurn: -1,
    tool: finding.tool,
    words: finding.words,
    advice: finding.advice,
    prints: [],
    denials: 0,
    novelCalls: 0,
    isClosed: false,
    costAtOnset: state.history.find((each) => each.index >= first)?.costNanoUsd ?? 0,
  };
}

/** The episode with one finding more. Of several in a turn the first, which names it, tells what it is about. */
function extended(episode: Episode, finding: Finding, says: Level | undefined, state: GuardianState): Episode {
  const isFirst = episode.heardInTurn !== state.turn;
  const about = isFirst || says !== undefined ? { tool: finding.tool, words: finding.words, advice: finding.advice } : {};
  return {
    ...episode,
    ...about,
    count: isFirst ? finding.count : Math.max(finding.count, episode.count),
    heardInTurn: state.turn,
    calls: union(episode.calls, finding.evidence).slice(-bounds.evidence),
    level: says ?? episode.level,
    saidInTurn: says === undefined ? episode.saidInTurn : state.turn,
    prints: [...new Set([...episode.prints, ...finding.prints])].slice(-bounds.prints),
    novelCalls: 0,
    isClosed: false,
  };
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** The episode in its place, the oldest closed ones dropped first. */
function kept(episodes: readonly Episode[], episode: Episode): readonly Episode[] {
  const others = episodes.filter((each) => each.id !== episode.id);
  if (others.length < bounds.episodes) return [...others, episode];
  const dropped = others.find((each) => each.isClosed) ?? others[0];
  return [...others.filter((each) => each !== dropped), episode];
}

function intervene(policy: Policy, state: GuardianState, finding: Finding, level: Level, episode: Episode, words: Words): Intervention {
  const spent = state.limits["run-cost"]?.used;
  const cost = spent === undefined ? {} : { costNanoUsd: spent - episode.costAtOnset };
  const isSecondWarning = level === "block" && policy.mode === "advise";
  const spoken = isSecondWarning ? "warn" : level;
  return {
    id: `${episode.id}/${level}`,
    detector: finding.detector,
    level: spoken,
    effect: level === "halt" ? "stop" : level === "block" && !isSecondWarning ? "deny" : "tell",
    call: state.calls - 1,
    evidence: finding.evidence,
    count: finding.count,
    tool: finding.tool,
    message: words(finding, spoken, { ...cost, denials: episode.denials }),
    ...cost,
    isApplied: policy.mode !== "observe",
  };
}

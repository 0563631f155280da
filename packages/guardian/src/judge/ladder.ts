import { bounds } from "../bounds.ts";
import type { Draft } from "../draft.ts";
import type { Block, Episode } from "../episode.ts";
import { about, type Intervention } from "../intervention.ts";
import { type DetectorName, type Level, levels, type Policy, type Rungs, ruleFor } from "../policy.ts";
import type { GuardianState } from "../state.ts";
import type { Words } from "../words.ts";
import { all } from "./detectors/index.ts";
import type { Finding } from "./finding.ts";

/** A count may fall short of its rung by this much: evidence is graded. */
const SLACK = 0.2;

/** Turns what was found in a turn into interventions: per episode one rung at a time, each level once, so that a word always comes before a bite. */
export function climb(policy: Policy, state: Draft, words: Words): readonly Intervention[] {
  const { findings } = state;
  if (findings.length === 0) return [];
  state.findings = [];
  return climbWith(policy, state, heard(policy, state, findings), words);
}

/** The same at once, for what cannot wait for the end of the turn. Undefined where nobody is to hear of it. */
export function climbNow(
  policy: Policy,
  state: Draft,
  finding: Finding,
  words: Words,
): readonly Intervention[] | undefined {
  const found = heard(policy, state, [finding]);
  return found.length === 0 ? undefined : climbWith(policy, state, found, words);
}

function climbWith(policy: Policy, state: Draft, found: readonly Finding[], words: Words): readonly Intervention[] {
  const interventions: Intervention[] = [];
  for (const finding of found) {
    if (state.stopped !== undefined) break;
    const known = state.episodes.find((episode) => isAbout(episode, finding));
    const level = nextLevel(policy, state, finding, known);
    if (known === undefined && level === undefined) continue;
    const says = known?.lastNoticeTurn === state.turn && !finding.isUrgent ? undefined : level;
    const episode = extended(policy, known ?? opened(state, finding), finding, says, state);
    state.episodes = kept(state.episodes, episode);
    if (known === undefined) state.opened++;
    if (says === undefined) continue;
    const intervention = intervene(
      policy,
      state,
      { finding, level: says, episode, isFirst: known?.level === undefined },
      words,
    );
    interventions.push(intervention);
    if (intervention.effect === "stop" && intervention.isApplied)
      state.stopped = {
        reason: all[place(finding)]?.reason ?? "no_progress",
        intervention: intervention.id,
        message: intervention.message,
      };
  }
  return interventions;
}

/** A finding belongs to an episode of its cause, or to one that has seen the same calls. */
function isAbout(episode: Episode, finding: Finding): boolean {
  return episode.cause === finding.cause || finding.evidence.some((index) => episode.calls.includes(index));
}

/** The findings to act on, in the order in which they name a cause. What a person calls fine under its first name is fine under every other. */
function heard(policy: Policy, state: GuardianState, found: readonly Finding[]): readonly Finding[] {
  const inOrder = found
    .filter((finding) => isWatched(policy, finding))
    .sort((a, b) => place(a) - place(b) || b.count - a.count);
  const fine = new Set<number | string>();
  return inOrder.filter((finding) => {
    const newest = finding.evidence.at(-1) ?? finding.cause;
    if (isMuted(state, finding)) fine.add(newest);
    return !fine.has(newest);
  });
}

/** Off by policy or by a tool's rule: then nobody looks. */
function isWatched(policy: Policy, finding: Finding): boolean {
  const off = ruleFor(policy, finding.tool)?.off;
  return rungsOf(policy, finding) !== undefined && off !== "all" && !off?.some((name) => name === finding.detector);
}

function rungsOf(policy: Policy, { detector }: Finding): Rungs | undefined {
  return policy.detectors[detector as DetectorName]; // a limit is no key of it, and has no rungs
}

function isMuted(state: GuardianState, finding: Finding): boolean {
  return state.mutes.some(
    (mute) =>
      (mute.detector === undefined || mute.detector === finding.detector) &&
      (mute.tool === undefined || mute.tool === finding.tool) &&
      (mute.call === undefined || finding.prints.includes(mute.call)),
  );
}

function place({ detector }: Finding): number {
  return all.findIndex(({ name }) => name === detector);
}

/** The next level above what was said and heard, if the count has reached its rung. */
function nextLevel(
  policy: Policy,
  state: GuardianState,
  finding: Finding,
  episode: Episode | undefined,
): Level | undefined {
  const rungs = rungsOf(policy, finding) ?? {};
  const said = episode?.isObserveOnly && policy.mode !== "observe" ? undefined : episode?.level;
  const denials = episode?.cause === finding.cause ? episode.denials : 0;
  const above = levels.filter(
    (level) => rungs[level] && (said === undefined || levels.indexOf(level) > levels.indexOf(said)),
  );
  const reached = above.filter((level) => hasReached(policy, state, finding, level, denials));
  return finding.isDirect ? reached.at(-1) : reached.find((level) => level === above[0]);
}

/** Whether a finding has reached a rung as it holds for this tool and this run. */
export function hasReached(policy: Policy, state: GuardianState, finding: Finding, level: Level, denials = 0): boolean {
  const rung = rungsOf(policy, finding)?.[level];
  const patience =
    (ruleFor(policy, finding.tool)?.scale ?? 1) *
    (state.attended && (level === "block" || level === "halt") ? policy.attendedScale : 1);
  return rung !== undefined && rung > 0 && finding.count + denials >= rung * patience - SLACK;
}

function opened(state: GuardianState, finding: Finding): Episode {
  const first = finding.evidence[0] ?? -1;
  return {
    id: `e${state.opened + 1}`,
    cause: finding.cause,
    detector: finding.detector as DetectorName, // limits open no episodes
    since: first,
    calls: [],
    count: 0,
    level: undefined,
    lastNoticeTurn: -1,
    lastFindingTurn: -1,
    tool: finding.tool,
    words: finding.words,
    blocks: [],
    denials: 0,
    novelCalls: 0,
    isClosed: false,
    costAtOnset:
      (first < 0 ? state.limits["run-cost"]?.used : state.history.find((each) => each.index >= first)?.costNanoUsd) ??
      0,
  };
}

/** The episode with one finding more. Of several in a turn the first, which names it, tells what it is about; only what has reached the block itself is refused. */
function extended(
  policy: Policy,
  episode: Episode,
  finding: Finding,
  says: Level | undefined,
  state: GuardianState,
): Episode {
  const isFirst = episode.lastFindingTurn !== state.turn;
  const { isObserveOnly: _, ...heardOf } = episode;
  return {
    ...(says === undefined ? episode : heardOf),
    ...(isFirst ? { tool: finding.tool, words: finding.words } : {}),
    ...(says !== undefined && policy.mode === "observe" ? { isObserveOnly: true as const } : {}),
    count: isFirst ? finding.count : Math.max(finding.count, episode.count),
    lastFindingTurn: state.turn,
    calls: union(episode.calls, finding.evidence).slice(-bounds.evidence),
    level: says ?? episode.level,
    lastNoticeTurn: says === undefined ? episode.lastNoticeTurn : state.turn,
    blocks: hasReached(policy, state, finding, "block") ? blocked(episode.blocks, finding) : episode.blocks,
    novelCalls: 0,
    isClosed: false,
  };
}

function blocked(blocks: readonly Block[], { prints, detector, count, advice }: Finding): readonly Block[] {
  const others = blocks.filter((block) => !prints.includes(block.print));
  return [...others, ...prints.map((print) => ({ print, detector: detector as DetectorName, count, advice }))].slice(
    -bounds.blocks,
  ); // limits block nothing
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/** The episode as the newest of those kept. The first to be forgotten are closed ones, then those that refuse nothing, then the oldest. */
function kept(episodes: readonly Episode[], episode: Episode): readonly Episode[] {
  const others = episodes.filter((each) => each.id !== episode.id);
  const least = others.find((each) => each.isClosed) ?? others.find((each) => each.blocks.length === 0);
  return [...(others.length < bounds.episodes ? others : others.filter((each) => each !== least)), episode].slice(
    -bounds.episodes,
  );
}

interface Said {
  readonly finding: Finding;
  readonly level: Level;
  readonly episode: Episode;
  readonly isFirst: boolean;
}

function intervene(
  policy: Policy,
  state: GuardianState,
  { finding, level, episode, isFirst }: Said,
  words: Words,
): Intervention {
  const spent = state.limits["run-cost"]?.used;
  const cost = spent === undefined ? {} : { costNanoUsd: Math.max(0, spent - episode.costAtOnset) };
  const isSecondWarning = level === "block" && policy.mode === "advise";
  const spoken = isSecondWarning ? "warn" : level;
  return about(finding, {
    id: `${episode.id}/${level}`,
    level: spoken,
    effect: level === "halt" ? "stop" : level === "block" && !isSecondWarning ? "deny" : (finding.effect ?? "tell"),
    call: finding.call ?? state.calls - 1,
    message: words(finding, spoken, { ...cost, denials: episode.denials, isFirst }),
    ...cost,
    isApplied: policy.mode !== "observe",
  });
}

import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Level } from "../policy/rungs.ts";
import { bounds } from "../state/bounds.ts";
import type { Block, Episode } from "../state/episode.ts";
import type { Finding } from "../state/finding.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import { verdictAbout } from "./reached-level.ts";

/** Whether a finding belongs to an episode: it has the same cause, or is about the same calls. */
export function isAbout(episode: Episode, finding: Finding): boolean {
  return episode.cause === finding.cause || finding.evidence.some((index) => episode.calls.includes(index));
}

/** A new episode before its first finding is added. */
export function openEpisode(state: GuardianState, finding: Finding): Episode {
  const firstCall = finding.evidence[0] ?? -1;
  return {
    id: `e${state.issuedIds + 1}`,
    cause: finding.cause,
    detector: finding.detector as DetectorName, // limits open no episodes
    firstCall,
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
    costAtStartNanoUsd: costAt(state, firstCall) ?? 0,
  };
}

function costAt({ history, limits }: GuardianState, call: number): number | undefined {
  if (call < 0) return limits["run-cost"]?.used;
  return history.find(({ index }) => index >= call)?.costNanoUsd;
}

/** What a finding adds to its episode. */
export interface EpisodeUpdate {
  readonly finding: Finding;
  readonly turn: number;
  /** The level of the intervention, if there is one. */
  readonly level: Level | undefined;
  readonly isObserving: boolean;
  /** The finding itself has reached the block rung, so its prints are refused. */
  readonly isBlocking: boolean;
}

/** Adds a finding to its episode. The first finding of a turn tells what the episode is about. */
export function extendEpisode(episode: Episode, update: EpisodeUpdate): Episode {
  const { finding, turn, level, isObserving, isBlocking } = update;
  const isFirstOfTurn = episode.lastFindingTurn !== turn;
  const { isObserveOnly: _, ...withoutObserveOnly } = episode;
  return {
    ...(level === undefined ? episode : withoutObserveOnly),
    ...(level !== undefined && isObserving ? { isObserveOnly: true as const } : {}),
    ...(isFirstOfTurn ? { tool: finding.tool, words: finding.words } : {}),
    count: isFirstOfTurn ? finding.count : Math.max(finding.count, episode.count),
    lastFindingTurn: turn,
    calls: union(episode.calls, finding.evidence).slice(-bounds.evidence),
    level: level ?? episode.level,
    lastNoticeTurn: level === undefined ? episode.lastNoticeTurn : turn,
    blocks: isBlocking ? addBlocks(episode.blocks, finding) : episode.blocks,
    similarCalls:
      (isBlocking && isConfirmed(episode, finding) ? finding.similarCalls : undefined) ?? episode.similarCalls,
    hasOtherSuccess: finding.prints.length === 0 ? episode.hasOtherSuccess : undefined, // a refusal has no prints
    novelCalls: 0,
    isClosed: false,
  };
}

/** A second opinion agrees, so that calls which are merely similar may be refused. */
function isConfirmed(episode: Episode, finding: Finding): boolean {
  return verdictAbout(episode, finding) === "stuck";
}

function addBlocks(blocks: readonly Block[], finding: Finding): readonly Block[] {
  const { prints, count, exactCount, times, tools, advice } = finding;
  const detector = finding.detector as DetectorName; // limits block nothing
  const others = blocks.filter((block) => !prints.includes(block.print));
  const added = prints.map((print) => ({
    print,
    detector,
    count,
    exactCount,
    times,
    toolCount: tools?.length,
    advice,
  }));
  return [...others, ...added].slice(-bounds.blocks);
}

function union(a: readonly number[], b: readonly number[]): number[] {
  return [...new Set([...a, ...b])].sort((x, y) => x - y);
}

function isPassive({ blocks, isMuted }: Episode): boolean {
  return blocks.length === 0 || isMuted === true;
}

/**
 * Stores an episode as the newest. A full list drops a closed one first, then one that refuses nothing, then the
 * oldest.
 */
export function storeEpisode(episodes: readonly Episode[], episode: Episode): readonly Episode[] {
  const others = episodes.filter(({ id }) => id !== episode.id);
  if (others.length < bounds.episodes) return [...others, episode];
  const dropped = others.find(({ isClosed }) => isClosed) ?? others.find(isPassive);
  return [...others.filter((other) => other !== dropped), episode].slice(-bounds.episodes);
}

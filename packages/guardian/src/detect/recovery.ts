import { similarity } from "../perceive/sketch.ts";
import type { Draft } from "../state/draft.ts";
import type { Episode } from "../state/episode.ts";
import type { Observation } from "../state/observation.ts";
import { closedByNoCall } from "./detectors/index.ts";
import { isChange, NOVEL } from "./discount.ts";
import { isSimilarCall } from "./similar-call.ts";

/** Novel calls that close an episode. */
const NOVEL_CALLS = 5;

/**
 * Closes episodes after a finished call: a change of the world removes an unrelated episode, five novel calls close it.
 * Returns the ids of the closed episodes.
 */
export function recoverByCall(state: Draft, newest: Observation): readonly string[] {
  // Another question that finds nothing is no progress.
  if (newest.redundancy >= NOVEL || newest.outcome.failure !== undefined || newest.outcome.isNothing) return [];
  state.chantCount = 0;
  const settled = state.episodes.filter((episode) => isSettledBy(episode, newest));
  const remaining = state.episodes
    .filter((episode) => !settled.includes(episode))
    .map((episode) => afterNovelCall(episode));
  const closed = remaining.filter(({ id, isClosed }) => isClosed && isOpen(state.episodes, id));
  settleCalls(state, new Set(settled.flatMap(({ calls }) => calls)));
  const recovered = state.episodes.filter(({ id }) => [...settled, ...closed].some((episode) => episode.id === id));
  state.episodes = remaining;
  return idsOf(recovered);
}

function isSettledBy(episode: Episode, newest: Observation): boolean {
  return !episode.isClosed && isChange(newest) && isUnrelated(episode, newest) && !closedByNoCall(episode.detector);
}

function isUnrelated(episode: Episode, newest: Observation): boolean {
  return episode.tool !== newest.tool || similarity(episode.words, newest.call.words) < 0.4;
}

function afterNovelCall(episode: Episode): Episode {
  const novelCalls = closedByNoCall(episode.detector) ? 0 : episode.novelCalls + 1;
  return { ...episode, novelCalls, isClosed: episode.isClosed || novelCalls >= NOVEL_CALLS };
}

function isOpen(episodes: readonly Episode[], id: string): boolean {
  return episodes.some((episode) => episode.id === id && !episode.isClosed);
}

/** After the success of another call, a call that is nearly the same as a refused one may be made again. */
export function noteOtherSuccess(state: Draft, newest: Observation): void {
  if (newest.outcome.failure !== undefined) return;
  state.episodes = state.episodes.map((episode) => {
    const { similarCalls, hasOtherSuccess } = episode;
    if (similarCalls === undefined || hasOtherSuccess || isSimilarCall(newest, similarCalls)) return episode;
    return { ...episode, hasOtherSuccess: true as const };
  });
}

/** The calls of a settled or muted episode no longer count. */
export function settleCalls(state: Draft, settled: ReadonlySet<number>): void {
  if (settled.size === 0) return;
  state.history = state.history.map((call) => (settled.has(call.index) ? { ...call, isSettled: true as const } : call));
  state.traces = state.traces.map((trace) => {
    const [index, turn, personTurn, scheduledPrompts, epoch, kind, call, outcome] = trace;
    return settled.has(index) ? [index, turn, personTurn, scheduledPrompts, epoch, kind, call, outcome, 1] : trace;
  });
}

/**
 * Closes all episodes after a message of a person, and ends their mutes and opinions. Repeated side effects are
 * remembered and continue to count.
 */
export function recoverByPerson(state: Draft): readonly string[] {
  const recovered = state.episodes.filter(({ isClosed }) => !isClosed);
  state.episodes = state.episodes
    .filter(({ detector }) => detector === "side-effect-repeat")
    .map(({ isMuted: _, mutedCount: __, opinions: ___, ...episode }) => ({ ...episode, isClosed: true }));
  return idsOf(recovered);
}

/** Closes the episode about refused answers after a judge has accepted one. */
export function recoverByAcceptance(state: Draft): readonly string[] {
  const recovered = state.episodes.filter(({ detector }) => detector === "refused-answers");
  state.episodes = state.episodes.filter((episode) => !recovered.includes(episode));
  return idsOf(recovered);
}

/** A muted episode was fine all along, and about one without a message nothing was known: nothing has recovered. */
function idsOf(recovered: readonly Episode[]): readonly string[] {
  return recovered.filter(({ isMuted, level }) => isMuted !== true && level !== undefined).map(({ id }) => id);
}

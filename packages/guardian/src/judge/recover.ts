import type { Draft } from "../draft.ts";
import type { Episode } from "../episode.ts";
import { similarity } from "../perceive/sketch.ts";
import type { Observation } from "../remembered-calls.ts";
import { seeds } from "./detectors/index.ts";
import { isChange, NOVEL } from "./sight.ts";

const NOVEL_CALLS = 5;

/** Detectors whose episodes only a person closes. */
const lasting = new Set<string>(
  seeds.flatMap((detector: { name: string; isLasting?: true }) => (detector.isLasting ? [detector.name] : [])),
);

/** Closes what a finished call has put right: a change of the world settles an unrelated episode, five novel calls let it rest. */
export function recoverByCall(state: Draft, newest: Observation): readonly string[] {
  if (newest.redundancy >= NOVEL || newest.outcome.failure !== undefined) return [];
  state.chants = 0;
  if (!state.episodes.some(isOpen)) return [];
  const recovered: string[] = [];
  const settled = new Set<number>();
  const episodes: Episode[] = [];
  for (const episode of state.episodes) {
    if (!episode.isClosed && isChange(newest) && isUnrelated(episode, newest) && !lasting.has(episode.detector)) {
      recovered.push(episode.id);
      for (const index of episode.calls) settled.add(index);
      continue;
    }
    const novelCalls = lasting.has(episode.detector) ? 0 : episode.novelCalls + 1;
    const rests = !episode.isClosed && novelCalls >= NOVEL_CALLS;
    if (rests) recovered.push(episode.id);
    episodes.push({ ...episode, novelCalls, isClosed: episode.isClosed || rests });
  }
  state.episodes = episodes;
  if (settled.size > 0) settle(state, settled);
  return recovered;
}

/** A person has spoken: everything is forgiven but deeds, which go on counting. */
export function recoverByPerson(state: Draft): readonly string[] {
  const recovered = state.episodes.filter(isOpen).map((episode) => episode.id);
  state.episodes = state.episodes
    .filter((episode) => episode.detector === "side-effect-repeat")
    .map((episode) => ({ ...episode, isClosed: true }));
  return recovered;
}

function isOpen(episode: Episode): boolean {
  return !episode.isClosed;
}

function isUnrelated(episode: Episode, newest: Observation): boolean {
  return episode.tool !== newest.tool || similarity(episode.words, newest.call.words) < 0.4;
}

/** The calls of a settled episode count against nobody any more. */
function settle(state: Draft, settled: ReadonlySet<number>): void {
  state.history = state.history.map((each) => (settled.has(each.index) ? { ...each, isSettled: true as const } : each));
  state.past = state.past.map((trace) =>
    settled.has(trace[0]) ? (trace.with(8, 1) as unknown as typeof trace) : trace,
  ); // the same tuple but for its last place
}

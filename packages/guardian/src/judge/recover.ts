import type { Episode } from "../episode.ts";
import { similarity } from "../perceive/sketch.ts";
import type { Observation } from "../remembered-calls.ts";
import type { GuardianState } from "../state.ts";
import { seeds } from "./detectors/index.ts";
import { isChange, NOVEL } from "./sight.ts";

const NOVEL_CALLS = 5;

/** Detectors whose episodes only a person closes. */
const lasting = new Set<string>(seeds.flatMap((detector: { name: string; isLasting?: true }) => (detector.isLasting ? [detector.name] : [])));

/** A state in which some episodes may have closed, and which. */
export interface Recovery {
  readonly state: GuardianState;
  readonly recovered: readonly string[];
}

/** Closes what a finished call has put right: a change of the world settles an unrelated episode, five novel calls let it rest. */
export function recoverByCall(state: GuardianState, newest: Observation): Recovery {
  if (newest.redundancy >= NOVEL || newest.outcome.failure !== undefined) return { state, recovered: [] };
  if (!state.episodes.some((episode) => !episode.isClosed)) return { state: state.chants === 0 ? state : { ...state, chants: 0 }, recovered: [] };
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
  return { state: { ...state, chants: 0, episodes, ...settle(state, settled) }, recovered };
}

/** A person has spoken: everything is forgiven but deeds, which go on counting. */
export function recoverByPerson(state: GuardianState): Recovery {
  const recovered = state.episodes.filter((episode) => !episode.isClosed).map((episode) => episode.id);
  const episodes = state.episodes.filter((episode) => episode.detector === "side-effect-repeat").map((episode) => ({ ...episode, isClosed: true }));
  return { state: { ...state, episodes }, recovered };
}

function isUnrelated(episode: Episode, newest: Observation): boolean {
  return episode.tool !== newest.tool || similarity(episode.words, newest.call.words) < 0.4;
}

/** The calls of a settled episode count against nobody any more. */
function settle(state: GuardianState, settled: ReadonlySet<number>): Partial<GuardianState> {
  if (settled.size === 0) return {};
  return {
    history: state.history.map((each) => (settled.has(each.index) ? { ...each, isSettled: true as const } : each)),
    past: state.past.map((trace) => (settled.has(trace[0]) ? ([...trace.slice(0, 8), 1] as unknown as typeof trace) : trace)), // the same tuple but for its last place
  };
}

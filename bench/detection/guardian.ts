import {
  defaultPolicy,
  initialState,
  type Observation,
  type Policy,
  type Signal,
  step,
} from "../../packages/guardian/dist/index.js";
import { type RecordedRun, sha256, signalsOf } from "../../packages/records/dist/index.js";

/** The guardian's default policy in a recording, which goes on whatever it says. */
export const watching: Policy = { ...defaultPolicy, mode: "observe" };

/** What the guardian said first. */
export interface FirstWord {
  readonly call: number;
  readonly detector: string;
}

/** What the guardian would have been told of a run, in order. */
export function told(run: RecordedRun): readonly Signal[] {
  return [...signalsOf(run)].map(({ signal }) => signal);
}

/** The guardian's first intervention, hint or higher; undefined where it says nothing. */
export function firstWord(signals: readonly Signal[], policy: Policy = watching): FirstWord | undefined {
  let state = initialState(sha256.name);
  for (const signal of signals) {
    const taken = step(policy, state, signal);
    const [first] = taken.interventions;
    if (first !== undefined) return { call: first.call, detector: first.detector };
    state = taken.state;
  }
  return undefined;
}

/** What the guardian saw at one call: each detector's count, and the call as it remembers it. */
export interface Sighting {
  readonly counts: ReadonlyMap<string, number>;
  readonly observation: Observation | undefined;
  /** The interventions decided at the end of its turn, where it is the turn's last call. */
  readonly said: readonly string[];
}

/** What the guardian saw, call by call, to the end of the run. */
export function sightings(signals: readonly Signal[], policy: Policy = watching): readonly Sighting[] {
  const seen: Sighting[] = [];
  let state = initialState(sha256.name);
  for (const signal of signals) {
    const taken = step(policy, state, signal);
    const newest = taken.state.history.at(-1);
    if (signal.type === "result" && newest !== undefined) {
      const found = taken.state.findings.filter((finding) => finding.evidence.at(-1) === newest.index);
      seen.push({
        counts: new Map(found.map(({ detector, count }) => [detector, count])),
        observation: newest,
        said: [],
      });
    }
    const last = seen.at(-1);
    if (taken.interventions.length > 0 && last !== undefined)
      seen[seen.length - 1] = {
        ...last,
        said: taken.interventions.map(({ level, detector }) => `${level} ${detector}`),
      };
    state = taken.state;
  }
  return seen;
}

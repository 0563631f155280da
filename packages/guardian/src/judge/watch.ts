import { bounds } from "../bounds.ts";
import { childKey } from "../brood.ts";
import type { Episode } from "../episode.ts";
import { about, type Intervention } from "../intervention.ts";
import type { Policy } from "../policy.ts";
import type { Refused } from "../remembered-calls.ts";
import type { Signal, SignalType } from "../signal.ts";
import type { GuardianState } from "../state.ts";
import type { Step } from "../step-result.ts";
import { refusal, type Words } from "../words.ts";
import type { Watcher } from "./detectors/detector.ts";
import { seedWatchers, watchers } from "./detectors/index.ts";
import { type Finding, findingOf } from "./finding.ts";
import { type Climbed, climbNow, hasReached } from "./ladder.ts";

/** The watchers by the signal they are asked on. */
const asked = new Map<SignalType, readonly Watcher[]>();
for (const watcher of [...watchers, ...seedWatchers] as readonly Watcher[]) asked.set(watcher.on, [...(asked.get(watcher.on) ?? []), watcher]); // each is only ever asked on its own signal

/** Asks those who watch for this signal, now that it is folded in, and acts on what they noticed. One that throws is switched off and named. */
export function watch(policy: Policy, taken: Step, signal: Signal, words: Words): Step {
  let step = taken;
  for (const watcher of asked.get(signal.type) ?? []) {
    const { state } = step;
    const name = watcher.name as keyof Policy["detectors"]; // all of them are named there, or not at all
    if (policy.detectors[name] === undefined || state.broken.includes(name) || state.stopped !== undefined) continue;
    try {
      const noticed = watcher.notice(state, signal, policy);
      if (noticed !== undefined) step = heed(policy, step, findingOf(name, noticed), words);
    } catch {
      step = { ...step, state: { ...state, broken: [...state.broken, name] } }; // becomes a value: the watcher is off from here on, and the caller is told
    }
  }
  return step;
}

function heed(policy: Policy, step: Step, finding: Finding, words: Words): Step {
  const climbed = climbNow(policy, step.state, finding, words);
  if (climbed === undefined) return step;
  const episode = climbed.state.episodes.find((each) => each.cause === finding.cause);
  const { state, interventions } = episode === undefined ? climbed : insist(policy, climbed, finding, episode, words);
  return { ...step, state, interventions: [...step.interventions, ...interventions] };
}

/** What has to be done whenever it is seen, whether or not a new level was said: what is about to begin is refused, a stream that chants is ended. */
function insist(policy: Policy, climbed: Climbed, finding: Finding, episode: Episode, words: Words): Climbed {
  if (finding.pending !== undefined && policy.mode === "guide" && hasReached(policy, climbed.state, finding, "block"))
    return refuse(climbed, finding, episode, words);
  if (finding.isEachTime === undefined || policy.mode === "observe" || climbed.interventions.length > 0) return climbed;
  const message = words(finding, "warn", { denials: 0, isFirst: false });
  const how = {
    id: `e${climbed.state.opened + 1}/interrupt`,
    level: "warn",
    effect: "interrupt",
    call: finding.call ?? climbed.state.calls - 1,
    message,
    isApplied: true,
  } as const;
  return { state: { ...climbed.state, opened: climbed.state.opened + 1 }, interventions: [about(finding, how)] };
}

/** Refuses everything that is pending; however much of it there is in a turn, it adds one to its episode. The refusals say what the level would have said. */
function refuse({ state, interventions }: Climbed, finding: Finding, episode: Episode, words: Words): Climbed {
  const pending = finding.pending ?? [];
  const denials = episode.denials + (episode.deniedInTurn === state.turn ? 0 : 1);
  const message = refusal(words(finding, "hint", { denials, isFirst: false }));
  const how = { level: "block", effect: "deny", call: finding.call ?? state.calls - 1, message, isApplied: true } as const;
  const refused = pending.map((callId, place): Intervention => about(finding, { id: `e${state.opened + 1 + place}/deny`, denies: { callId }, ...how }));
  const episodes = state.episodes.map((each) => (each.id === episode.id ? { ...each, denials, deniedInTurn: state.turn } : each));
  return {
    state: without({ ...state, episodes, opened: state.opened + pending.length }, pending),
    interventions: [...interventions.filter((each) => each.effect === "stop"), ...refused],
  };
}

/** The state in which what was refused never began. */
function without(state: GuardianState, ids: readonly string[]): GuardianState {
  const open = state.open.filter((call) => !ids.includes(call.id));
  const calls = state.open.flatMap(({ id, index, turn, call }): Refused[] => (ids.includes(id) ? [[index, turn, state.personTurn, call.exact]] : []));
  const children = state.children.filter((child) => !ids.some((id) => childKey(id) === child.id));
  const gone = state.children.length - children.length;
  const { started, starts } = state.brood;
  return {
    ...state,
    open,
    refused: [...state.refused, ...calls].slice(-bounds.refused),
    children,
    brood: { ...state.brood, started: started - gone, starts: gone === 0 ? starts : starts.slice(0, -gone) },
  };
}

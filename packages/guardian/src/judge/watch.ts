import { bounds } from "../bounds.ts";
import { childKey } from "../brood.ts";
import type { Draft } from "../draft.ts";
import type { Episode } from "../episode.ts";
import { about, type Intervention } from "../intervention.ts";
import type { Policy } from "../policy.ts";
import type { Refused } from "../remembered-calls.ts";
import type { Signal, SignalType } from "../signal.ts";
import { silent } from "../step-result.ts";
import { refusal, type Words } from "../words.ts";
import type { Noticed, Watcher } from "./detectors/detector.ts";
import { seedWatchers, watchers } from "./detectors/index.ts";
import { type Finding, findingOf } from "./finding.ts";
import { climbNow, hasReached } from "./ladder.ts";

/** The watchers by the signal they are asked on. */
const asked = new Map<SignalType, readonly Watcher[]>();
for (const watcher of [...watchers, ...seedWatchers] as readonly Watcher[])
  asked.set(watcher.on, [...(asked.get(watcher.on) ?? []), watcher]); // each is only ever asked on its own signal

/** Asks those who watch for this signal, now that it is folded in, and acts on what they noticed. One that throws is switched off and named. */
export function watch(policy: Policy, state: Draft, signal: Signal, words: Words): readonly Intervention[] {
  let { interventions } = silent;
  for (const watcher of asked.get(signal.type) ?? nobody) {
    const name = watcher.name as keyof Policy["detectors"]; // all of them are named there, or not at all
    if (policy.detectors[name] === undefined || state.broken.includes(name) || state.stopped !== undefined) continue;
    let noticed: Noticed | undefined;
    try {
      noticed = watcher.notice(state, signal, policy);
    } catch {
      state.broken = [...state.broken, name]; // becomes a value: the watcher is off from here on, and the caller is told
    }
    if (noticed !== undefined)
      interventions = [...interventions, ...heed(policy, state, findingOf(name, noticed), words)];
  }
  return interventions;
}

const nobody: readonly Watcher[] = [];

function heed(policy: Policy, state: Draft, finding: Finding, words: Words): readonly Intervention[] {
  const said = climbNow(policy, state, finding, words);
  if (said === undefined) return silent.interventions;
  const episode = state.episodes.find((each) => each.cause === finding.cause);
  return episode === undefined ? said : insist(policy, state, { finding, episode, said }, words);
}

/** What was said about a finding, and the episode it belongs to. */
interface Heeded {
  readonly finding: Finding;
  readonly episode: Episode;
  readonly said: readonly Intervention[];
}

/** What has to be done whenever it is seen, whether or not a new level was said: what is about to begin is refused, a stream that chants is ended. */
function insist(policy: Policy, state: Draft, heeded: Heeded, words: Words): readonly Intervention[] {
  const { finding, said } = heeded;
  if (finding.pending !== undefined && policy.mode === "guide" && hasReached(policy, state, finding, "block"))
    return refuse(state, heeded, words);
  if (finding.isEachTime === undefined || policy.mode === "observe" || said.length > 0) return said;
  const message = words(finding, "warn", { denials: 0, isFirst: false });
  state.opened++;
  const how = {
    id: `e${state.opened}/interrupt`,
    level: "warn",
    effect: "interrupt",
    call: finding.call ?? state.calls - 1,
    message,
    isApplied: true,
  } as const;
  return [about(finding, how)];
}

/** Refuses everything that is pending; however much of it there is in a turn, it adds one to its episode. The refusals say what the level would have said. */
function refuse(state: Draft, { finding, episode, said }: Heeded, words: Words): readonly Intervention[] {
  const pending = finding.pending ?? [];
  const denials = episode.denials + (episode.deniedInTurn === state.turn ? 0 : 1);
  const message = refusal(words(finding, "hint", { denials, isFirst: false }));
  const how = {
    level: "block",
    effect: "deny",
    call: finding.call ?? state.calls - 1,
    message,
    isApplied: true,
  } as const;
  const refused = pending.map(
    (callId): Intervention => about(finding, { id: `e${++state.opened}/deny`, denies: { callId }, ...how }),
  );
  state.episodes = state.episodes.map((each) =>
    each.id === episode.id ? { ...each, denials, deniedInTurn: state.turn } : each,
  );
  undo(state, pending);
  return [...said.filter((each) => each.effect === "stop"), ...refused];
}

/** What was refused never began. */
function undo(state: Draft, ids: readonly string[]): void {
  const calls = state.open.flatMap(({ id, index, turn, call }): Refused[] =>
    ids.includes(id) ? [[index, turn, state.personTurn, call.exact]] : [],
  );
  const children = state.subagents.filter((child) => !ids.some((id) => childKey(id) === child.id));
  const gone = state.subagents.length - children.length;
  const { started, starts } = state.subagentTotals;
  state.open = state.open.filter((call) => !ids.includes(call.id));
  state.refused = [...state.refused, ...calls].slice(-bounds.refused);
  state.subagents = children;
  state.subagentTotals = {
    ...state.subagentTotals,
    started: started - gone,
    starts: gone === 0 ? starts : starts.slice(0, -gone),
  };
}

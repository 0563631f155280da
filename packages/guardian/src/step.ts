import { onCall, onStreamStart } from "./calls.ts";
import { climb } from "./judge/ladder.ts";
import { recoverByPerson } from "./judge/recover.ts";
import { limitNames, type Policy } from "./policy.ts";
import { onResult } from "./results.ts";
import type { Signal, SignalOf } from "./signal.ts";
import { bounds, type Episode, type GuardianState, short } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";
import { isWellFormed } from "./well-formed.ts";
import { plainWords, type Words } from "./words.ts";

const GAP_MS = 30_000;

/**
 * The guardian's heart: folds a signal into the state and says what to do about it. Pure: the same signals always give the same interventions.
 * Calls are judged as their results come in; what was found is told at the end of the turn, so that every call has its result first.
 */
export function step(policy: Policy, before: GuardianState, signal: Signal, words: Words = plainWords): Step {
  return isWellFormed(signal) ? fold(policy, before, signal, words) : quiet(before);
}

/** The same for a signal that the caller has made itself, and need not be looked at. */
export function fold(policy: Policy, before: GuardianState, signal: Signal, words: Words): Step {
  const state = passTime(before, signal.at);
  switch (signal.type) {
    case "run-start":
      return quiet(onRunStart(state, signal));
    case "user-message":
      return onUserMessage(state, signal);
    case "stream-start":
      return quiet(onStreamStart(state));
    case "call":
      return onCall(policy, state, signal, words);
    case "result":
      return onResult(policy, state, signal);
    case "turn-end":
      return onTurnEnd(policy, state, words);
    case "reply":
      return quiet(onReply(state, signal));
    case "usage":
      return quiet(onUsage(state, signal));
    case "compacted":
      return quiet({ ...state, compaction: state.compaction + 1 });
    case "waiting":
      return quiet({ ...state, clock: { ...state.clock, idleMs: 0, waitingFor: signal.for } });
    case "mute":
      return quiet(onMute(state, signal));
    case "child-start":
      return quiet({ ...state, children: [...state.children, { id: short(signal.id, bounds.id), depth: signal.depth, findings: [] }].slice(-bounds.children) });
    case "child-end":
      return quiet({ ...state, children: state.children.filter((child) => child.id !== short(signal.id, bounds.id)) });
    case "delta":
    case "tick":
      return quiet(state);
    default:
      return signal satisfies never;
  }
}

/** Time passed is the sum of gaps, each clipped: a clock that jumps and a laptop that sleeps do no harm. */
function passTime(state: GuardianState, at: number): GuardianState {
  const { clock } = state;
  const gap = clock.at === 0 ? 0 : Math.min(Math.max(at - clock.at, 0), GAP_MS);
  return { ...state, clock: { ...clock, at, elapsedMs: clock.elapsedMs + gap, idleMs: clock.idleMs + gap } };
}

function onRunStart(state: GuardianState, signal: SignalOf<"run-start">): GuardianState {
  const { stopped: _, ...going } = state;
  const tools = Object.fromEntries(signal.tools.slice(0, bounds.tools).map((tool) => [short(tool.name), tool.kind ?? null]));
  // A run that goes on after a halt meets the block first, and is ended again if it insists: in an episode of its own.
  let opened = state.opened;
  const episodes = state.episodes.map(
    (episode): Episode => (episode.level === "halt" ? { ...episode, id: `e${++opened}`, level: "block", denials: 0 } : episode),
  );
  return { ...going, attended: signal.attended, tools, episodes, opened, open: [], found: [] };
}

function onUserMessage(state: GuardianState, signal: SignalOf<"user-message">): Step {
  if (signal.origin === "automatic") return quiet(state);
  const spoken = signal.origin === "person" ? { personTurn: state.personTurn + 1 } : { schedule: state.schedule + 1 };
  const { stopped: _, ...going } = state;
  return { interventions: [], ...recoverByPerson({ ...going, ...spoken }) };
}

function onTurnEnd(policy: Policy, state: GuardianState, words: Words): Step {
  const climbed = climb(policy, state, words);
  return { state: { ...climbed.state, turn: state.turn + 1 }, interventions: climbed.interventions, recovered: [] };
}

function onReply(state: GuardianState, signal: SignalOf<"reply">): GuardianState {
  const heard = { ...state, clock: { ...state.clock, idleMs: 0 }, stream: { tail: "", checked: 0 } };
  if (signal.calls > 0) return heard;
  return { ...heard, messages: [...state.messages, { turn: state.turn, words: signal.words }].slice(-bounds.messages) };
}

function onUsage(state: GuardianState, signal: SignalOf<"usage">): GuardianState {
  const limits = { ...state.limits };
  for (const limit of limitNames) {
    const used = signal.used[limit];
    if (Number.isFinite(used)) limits[limit] = { ...limits[limit], used: used as number }; // a finite number, by the check
  }
  return { ...state, limits, isPriced: signal.isPriced };
}

/** A person says that something is fine: what is about it is dropped, and not looked for again. */
function onMute(state: GuardianState, { detector, tool, call }: SignalOf<"mute">): GuardianState {
  if (detector === undefined && tool === undefined && call === undefined) return state; // nothing was named
  const name = tool === undefined ? undefined : short(tool);
  const isMeant = (episode: Episode) =>
    (detector === undefined || episode.detector === detector) &&
    (name === undefined || episode.tool === name) &&
    (call === undefined || episode.blocks.some((block) => block.print === call));
  const mute = { ...(detector === undefined ? {} : { detector }), ...(name === undefined ? {} : { tool: name }), ...(call === undefined ? {} : { call }) };
  return { ...state, mutes: [...state.mutes, mute].slice(-bounds.mutes), episodes: state.episodes.filter((episode) => !isMeant(episode)) };
}

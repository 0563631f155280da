import { onCall } from "./calls.ts";
import { onChildEnd, onChildStart } from "./children.ts";
import { type Draft, draftOf } from "./draft.ts";
import { climb } from "./judge/ladder.ts";
import { watch } from "./judge/watch.ts";
import { checkLimits, onLimit, onUsage } from "./limits.ts";
import { onMute, onUserMessage } from "./people.ts";
import type { Policy } from "./policy.ts";
import { onDelta, onReply, onStreamStart, streamEnded } from "./replies.ts";
import { onResult } from "./results.ts";
import { onRunStart } from "./runs.ts";
import type { Signal, SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { type Said, type Step, silent } from "./step-result.ts";
import { onWaiting, passTime } from "./time.ts";
import { isWellFormed } from "./well-formed.ts";
import { plainWords, type Words } from "./words.ts";

/**
 * The guardian's heart: folds a signal into the state and says what to do about it. Pure: the same signals always give the same interventions.
 * Calls are judged as their results come in; what was found is told at the end of the turn, so that every call has its result first.
 */
export function step(policy: Policy, before: GuardianState, signal: Signal, words: Words = plainWords): Step {
  if (!isWellFormed(signal, signal?.at)) return { state: before, interventions: [], recovered: [] };
  const state = draftOf(before);
  passTime(state, signal.at);
  return { state, ...fold(policy, state, signal, words) };
}

/** The same in place, for a signal that need not be looked at any more and whose time has passed: taken in, then seen by those who watch for it, then held against the limits. */
export function fold(policy: Policy, state: Draft, signal: Signal, words: Words): Said {
  const { chanting } = state;
  const taken = take(policy, state, signal, words);
  if (signal.type === "delta" && state.chanting === chanting) return taken; // nothing to see: nearly all signals are such
  const noticed = watch(policy, state, signal, words);
  const reached = checkLimits(policy, state, words);
  if (noticed.length === 0 && reached.length === 0) return taken;
  return { ...taken, interventions: [...taken.interventions, ...noticed, ...reached] };
}

function take(policy: Policy, state: Draft, signal: Signal, words: Words): Said {
  switch (signal.type) {
    case "run-start":
      onRunStart(state, signal);
      break;
    case "user-message":
      return onUserMessage(state, signal);
    case "stream-start":
      onStreamStart(state);
      break;
    case "delta":
      onDelta(policy, state, signal);
      break;
    case "reply":
      onReply(state, signal);
      break;
    case "call":
      return onCall(policy, state, signal, words);
    case "result":
      return onResult(policy, state, signal);
    case "turn-end":
      return onTurnEnd(policy, state, words);
    case "usage":
      onUsage(state, signal);
      break;
    case "limit":
      onLimit(policy, state, signal);
      break;
    case "compacted":
      onCompacted(state);
      break;
    case "waiting":
      onWaiting(state, signal);
      break;
    case "mute":
      onMute(state, signal);
      break;
    case "child-start":
      onChildStart(state, signal);
      break;
    case "child-end":
      onChildEnd(state, signal);
      break;
    default:
      signal satisfies SignalOf<"tick">; // nothing is left but that
  }
  return silent;
}

/** All results are there: what was found is said. */
function onTurnEnd(policy: Policy, state: Draft, words: Words): Said {
  streamEnded(state);
  const interventions = climb(policy, state, words);
  state.clock.stalledMs = 0;
  state.turn++;
  state.runTurns++;
  return interventions.length === 0 ? silent : { ...silent, interventions };
}

/** A compaction soon after another that brought no relief has not helped. */
function onCompacted(state: Draft): void {
  const { count, turn, events, isEased } = state.compacting;
  const now = { turn: state.turn, events: state.calls + state.personTurn };
  const isFutile =
    count > 0 &&
    (isEased === undefined ? now.turn === turn && now.events === events : !isEased && now.turn - turn <= SOON);
  state.compaction++;
  state.compacting = { count: isFutile ? count + 1 : 1, ...now };
}

const SOON = 3;

import { onCall } from "./calls.ts";
import { onChildEnd, onChildStart } from "./children.ts";
import { climb } from "./judge/ladder.ts";
import { watch } from "./judge/watch.ts";
import { checkLimits, onLimit, onUsage } from "./limits.ts";
import { onMute, onUserMessage } from "./people.ts";
import type { Policy } from "./policy.ts";
import { onDelta, onReply, onStreamStart, streamEnded } from "./replies.ts";
import { onResult } from "./results.ts";
import { onRunStart } from "./runs.ts";
import type { Signal } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";
import { onWaiting, passTime } from "./time.ts";
import { isWellFormed } from "./well-formed.ts";
import { plainWords, type Words } from "./words.ts";

/**
 * The guardian's heart: folds a signal into the state and says what to do about it. Pure: the same signals always give the same interventions.
 * Calls are judged as their results come in; what was found is told at the end of the turn, so that every call has its result first.
 */
export function step(policy: Policy, before: GuardianState, signal: Signal, words: Words = plainWords): Step {
  return isWellFormed(signal) ? fold(policy, before, signal, words) : quiet(before);
}

/** The same for a signal that the caller has made itself, and need not be looked at: taken in, then seen by those who watch for it, then held against the limits. */
export function fold(policy: Policy, before: GuardianState, signal: Signal, words: Words): Step {
  const taken = take(policy, passTime(before, signal.at), signal, words);
  if (signal.type === "delta" && taken.state.chanting === before.chanting) return taken; // nothing to see: nearly all signals are such
  return checkLimits(policy, watch(policy, taken, signal, words), words);
}

function take(policy: Policy, state: GuardianState, signal: Signal, words: Words): Step {
  switch (signal.type) {
    case "run-start":
      return quiet(onRunStart(state, signal));
    case "user-message":
      return onUserMessage(state, signal);
    case "stream-start":
      return quiet(onStreamStart(state));
    case "delta":
      return quiet(onDelta(policy, state, signal));
    case "reply":
      return quiet(onReply(state, signal));
    case "call":
      return onCall(policy, state, signal, words);
    case "result":
      return onResult(policy, state, signal);
    case "turn-end":
      return onTurnEnd(policy, state, words);
    case "usage":
      return quiet(onUsage(state, signal));
    case "limit":
      return quiet(onLimit(policy, state, signal));
    case "compacted":
      return quiet(onCompacted(state));
    case "waiting":
      return quiet(onWaiting(state, signal));
    case "mute":
      return quiet(onMute(state, signal));
    case "child-start":
      return quiet(onChildStart(state, signal));
    case "child-end":
      return quiet(onChildEnd(state, signal));
    case "tick":
      return quiet(state);
    default:
      return signal satisfies never;
  }
}

/** All results are there: what was found is said. */
function onTurnEnd(policy: Policy, state: GuardianState, words: Words): Step {
  const climbed = climb(policy, streamEnded(state), words);
  const clock = { ...climbed.state.clock, stalledMs: 0 };
  return { recovered: [], ...climbed, state: { ...climbed.state, clock, turn: state.turn + 1, runTurns: state.runTurns + 1 } };
}

/** A compaction soon after another that brought no relief has not helped. */
function onCompacted(state: GuardianState): GuardianState {
  const { count, turn, events, isEased } = state.compacting;
  const now = { turn: state.turn, events: state.calls + state.personTurn };
  const isFutile = count > 0 && (isEased === undefined ? now.turn === turn && now.events === events : !isEased && now.turn - turn <= SOON);
  return { ...state, compaction: state.compaction + 1, compacting: { count: isFutile ? count + 1 : 1, ...now } };
}

const SOON = 3;

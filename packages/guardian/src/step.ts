import { runWatchers } from "./detect/watch.ts";
import { checkLimits } from "./limits/check-limits.ts";
import type { Policy } from "./policy/policy.ts";
import type { Signal } from "./signal.ts";
import { onCall } from "./signals/call.ts";
import { onChildEnd } from "./signals/child-end.ts";
import { onChildStart } from "./signals/child-start.ts";
import { onCompacted } from "./signals/compacted.ts";
import { onDelta } from "./signals/delta.ts";
import { onLimit } from "./signals/limit.ts";
import { onMute } from "./signals/mute.ts";
import { onOpinion } from "./signals/opinion.ts";
import { onReply } from "./signals/reply.ts";
import { onResult } from "./signals/result.ts";
import { onRunStart } from "./signals/run-start.ts";
import { signalProblem } from "./signals/signal-problem.ts";
import { onStreamStart } from "./signals/stream-start.ts";
import { onTurnEnd } from "./signals/turn-end.ts";
import { onUnmute } from "./signals/unmute.ts";
import { onUsage } from "./signals/usage.ts";
import { onUserMessage } from "./signals/user-message.ts";
import { onVerdict } from "./signals/verdict.ts";
import { onWaiting } from "./signals/waiting.ts";
import { passTime } from "./state/clock.ts";
import { createDraft } from "./state/draft.ts";
import type { GuardianState } from "./state/guardian-state.ts";
import type { Words } from "./state/intervention.ts";
import type { StepContext, StepOutput } from "./state/step-context.ts";
import { plainWords } from "./words.ts";

/** The next state, and what the signal led to. */
export interface StepResult extends StepOutput {
  readonly state: GuardianState;
  /** Why the signal was ignored: a sentence about the first thing that is wrong with it. */
  readonly problem?: string;
}

/**
 * The guardian's core: processes one signal. Pure: the same signals always give the same interventions.
 * Findings about calls lead to interventions at the end of the turn, when every call has its result.
 * Something that is no signal changes nothing and gives a `problem`.
 */
export function step(policy: Policy, previous: GuardianState, signal: Signal, words: Words = plainWords): StepResult {
  const problem = signalProblem(signal);
  if (problem !== undefined) return { state: previous, interventions: [], recovered: [], asked: [], problem };
  const state = createDraft(previous);
  const context: StepContext = { policy, state, words };
  passTime(state, signal.at);
  const { interventions = [], recovered = [], asked = [] } = applySignal(context, signal);
  // A delta is only of interest when it completes a repetition.
  if (signal.type === "delta" && state.chant === previous.chant) return { state, interventions, recovered, asked };
  const noticed = runWatchers(context, signal);
  const reached = checkLimits(context);
  return { state, interventions: [...interventions, ...noticed, ...reached], recovered, asked };
}

/** What the signal does to the state. */
function applySignal(context: StepContext, signal: Signal): Partial<StepOutput> {
  const { state } = context;
  switch (signal.type) {
    case "run-start":
      onRunStart(state, signal);
      return {};
    case "user-message":
      return { recovered: onUserMessage(state, signal) };
    case "stream-start":
      onStreamStart(state);
      return {};
    case "delta":
      onDelta(context, signal);
      return {};
    case "reply":
      onReply(state, signal);
      return {};
    case "call":
      return { interventions: onCall(context, signal) };
    case "result":
      return { recovered: onResult(context, signal) };
    case "turn-end":
      return onTurnEnd(context);
    case "usage":
      onUsage(state, signal);
      return {};
    case "limit":
      onLimit(context, signal);
      return {};
    case "compacted":
      onCompacted(state);
      return {};
    case "waiting":
      onWaiting(state, signal);
      return {};
    case "child-start":
      onChildStart(state, signal);
      return {};
    case "child-end":
      onChildEnd(state, signal);
      return {};
    case "mute":
      onMute(state, signal);
      return {};
    case "unmute":
      onUnmute(state, signal);
      return {};
    case "opinion":
      return { interventions: onOpinion(context, signal) };
    case "verdict":
      return { recovered: onVerdict(context, signal) };
    case "tick":
      return {};
    default:
      return signal satisfies never;
  }
}

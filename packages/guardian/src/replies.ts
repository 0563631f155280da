import { bounds } from "./bounds.ts";
import { listen, silence } from "./judge/detectors/chant-tail.ts";
import type { Policy } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import { type GuardianState, noStreams } from "./state.ts";
import { alive, streaming } from "./time.ts";

/** A short message, in distinct words and in characters: some scripts have no spaces. */
const SHORT_WORDS = 25;
const SHORT_CHARS = 200;

/** A stream begins, perhaps again after a retry: the calls of a half reply were never made. Those of earlier turns may still be running. */
export function onStreamStart(state: GuardianState): GuardianState {
  const open = state.open.filter((call) => call.turn !== state.turn);
  const next = 1 + Math.max(-1, ...[...state.history.slice(-bounds.open), ...open].map((call) => call.index));
  return { ...streamEnded(state), calls: Math.max(next, state.calls - (state.open.length - open.length)), open };
}

/** Something was streamed. Once a stream chants, nobody listens to it any more. */
export function onDelta(policy: Policy, state: GuardianState, { channel, text }: SignalOf<"delta">): GuardianState {
  const clock = streaming(state.clock, policy.stallMs);
  if (state.chanting !== undefined) return { ...state, clock };
  const { stream, chant } = listen(state.streams[channel] ?? silence, channel, text);
  return { ...state, clock, streams: { ...state.streams, [channel]: stream }, ...(chant && { chanting: chant, chants: state.chants + 1 }) };
}

/** A reply is there, whole or cut off. Without calls it is remembered by its words. */
export function onReply(state: GuardianState, { stop, calls, words, size = 0 }: SignalOf<"reply">): GuardianState {
  const heard = { ...streamEnded(state), clock: alive(state.clock), isNudged: false };
  if (calls > 0) return heard;
  const isShort = words.length <= SHORT_WORDS && size <= SHORT_CHARS && stop !== "length";
  const message = state.isNudged && isShort ? ({ words, isNudged: true } as const) : { words };
  return { ...heard, messages: [...state.messages, message].slice(-bounds.messages) };
}

/** The state without the text of a stream. */
export function streamEnded(state: GuardianState): GuardianState {
  if (state.chanting === undefined) return state.streams === noStreams ? state : { ...state, streams: noStreams };
  const { chanting: _, ...rest } = state;
  return { ...rest, streams: noStreams };
}

import { listen, silence } from "./judge/detectors/chant-tail.ts";
import type { SignalOf } from "./signal.ts";
import { bounds, type GuardianState } from "./state.ts";
import { alive } from "./time.ts";

/** A stream begins, perhaps again after a retry: the calls of a half reply were never made. Those of earlier turns may still be running. */
export function onStreamStart(state: GuardianState): GuardianState {
  const open = state.open.filter((call) => call.turn !== state.turn);
  return { ...streamEnded(state), calls: state.calls - (state.open.length - open.length), open };
}

/** Something was streamed. Once a stream chants, nobody listens to it any more. */
export function onDelta(state: GuardianState, { channel, text }: SignalOf<"delta">): GuardianState {
  const clock = alive(state.clock);
  if (state.chanting !== undefined) return { ...state, clock };
  const { stream, chant } = listen(state.stream, channel, text);
  return { ...state, clock, stream, ...(chant === undefined ? {} : { chanting: chant, chants: state.chants + 1 }) };
}

/** A reply is there, whole or cut off. Without calls it is remembered by its words. */
export function onReply(state: GuardianState, { stop, calls, words }: SignalOf<"reply">): GuardianState {
  const heard = { ...streamEnded(state), clock: alive(state.clock) };
  if (calls > 0) return heard;
  const message = stop === "length" ? ({ words, isCut: true } as const) : { words };
  return { ...heard, messages: [...state.messages, message].slice(-bounds.messages) };
}

/** The state without the text of a stream. */
export function streamEnded(state: GuardianState): GuardianState {
  if (state.stream === silence && state.chanting === undefined) return state;
  const { chanting: _, ...rest } = state;
  return { ...rest, stream: silence };
}

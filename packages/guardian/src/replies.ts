import { bounds } from "./bounds.ts";
import type { Draft } from "./draft.ts";
import { listen, silence } from "./judge/detectors/chant-tail.ts";
import { withNewest } from "./newest.ts";
import type { Policy } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import { noStreams } from "./state.ts";
import { alive, streaming } from "./time.ts";

/** A short message, in distinct words and in characters: some scripts have no spaces. */
const SHORT_WORDS = 25;
const SHORT_CHARS = 200;

/** A stream begins, perhaps again after a retry: the calls of a half reply were never made. Those of earlier turns may still be running. */
export function onStreamStart(state: Draft): void {
  streamEnded(state);
  const { open } = state;
  if (open.length === 0) return;
  state.open = open.filter((call) => call.turn !== state.turn);
  state.calls -= open.length - state.open.length;
  for (const calls of [state.open, state.history])
    for (const { index } of calls) state.calls = Math.max(state.calls, index + 1);
}

/** Something was streamed. Once a stream chants, nobody listens to it any more. */
export function onDelta(policy: Policy, state: Draft, { channel, text }: SignalOf<"delta">): void {
  streaming(state, policy.stallMs);
  if (state.chanting !== undefined) return;
  const { stream, chant } = listen(state.streams[channel] ?? silence, channel, text);
  state.streams[channel] = stream;
  if (chant === undefined) return;
  state.chanting = chant;
  state.chants++;
}

/** A reply is there, whole or cut off. Without calls it is remembered by its words. */
export function onReply(state: Draft, { stop, calls, words, size = 0 }: SignalOf<"reply">): void {
  const { isNudged } = state;
  streamEnded(state);
  alive(state);
  state.isNudged = false;
  if (calls > 0) return;
  const isShort = words.length <= SHORT_WORDS && size <= SHORT_CHARS && stop !== "length";
  state.messages = withNewest(
    state.messages,
    isNudged && isShort ? { words, isNudged: true } : { words },
    bounds.messages,
  );
}

/** The text of a stream is forgotten. */
export function streamEnded(state: Draft): void {
  state.streams = { ...noStreams };
  state.chanting = undefined;
}

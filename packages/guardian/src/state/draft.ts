import type { Clock, GuardianState, Meters } from "./guardian-state.ts";
import type { Streams } from "./stream.ts";

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The next state while a signal is processed. Its fields are assigned; the lists and objects in them belong to
 * earlier states as well and are replaced, never changed. Only clock, limits and streams are the draft's own.
 */
export type Draft = Writable<Omit<GuardianState, "clock" | "limits" | "streams">> & {
  readonly clock: Writable<Clock>;
  limits: Writable<Meters>;
  streams: Writable<Streams>;
};

/** Copies a state, so that a step can change it. */
export function createDraft(state: GuardianState): Draft {
  return { ...state, clock: { ...state.clock }, limits: { ...state.limits }, streams: { ...state.streams } };
}

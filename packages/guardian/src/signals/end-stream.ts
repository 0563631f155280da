import type { Draft } from "../state/draft.ts";

/** Drops the text of the running streams. */
export function endStream(state: Draft): void {
  state.streams = {};
  state.chant = undefined;
}

import type { Draft } from "../state/draft.ts";
import { endStream } from "./end-stream.ts";

/**
 * A reply starts to stream, perhaps again after a retry: the calls of an incomplete reply were never made.
 * Calls of earlier turns may still be running.
 */
export function onStreamStart(state: Draft): void {
  endStream(state);
  const running = state.unanswered.filter((call) => call.turn !== state.turn);
  const dropped = state.unanswered.length - running.length;
  if (dropped === 0) return;
  const usedIndexes = [...running, ...state.history].map(({ index }) => index + 1);
  state.unanswered = running;
  state.callCount = Math.max(state.callCount - dropped, ...usedIndexes);
}

/**
 * Calls `act` when the signal is aborted, at once if it already is. Returns the function that removes the listener:
 * call it when the awaited work is done, since a run's signal lives as long as the run.
 */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  signal.addEventListener("abort", act, { once: true });
  return () => signal.removeEventListener("abort", act);
}

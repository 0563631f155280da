/** Who waits for each signal. A signal is listened to once, however many wait for it: another listener costs more than most of what is waited for. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` when the signal is aborted, unless `offAbort` comes before. One that is aborted already is not told again. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  const acts = waiting.get(signal) ?? listenTo(signal);
  acts.add(act);
}

export function offAbort(signal: AbortSignal, act: () => void): void {
  waiting.get(signal)?.delete(act);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>();
  waiting.set(signal, acts);
  signal.addEventListener("abort", () => {
    for (const act of acts) act();
    acts.clear();
  });
  return acts;
}

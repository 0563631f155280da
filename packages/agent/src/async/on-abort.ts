/** Who waits for each signal. A signal is listened to once, however many wait for it: another listener costs more than most of what is waited for. */
const waiting = new WeakMap<AbortSignal, (() => void)[]>();

/** Calls `act` when the signal is aborted, unless `offAbort` comes before. One that is aborted already is not told again. */
export function onAbort(signal: AbortSignal, act: () => void): void {
  const acts = waiting.get(signal) ?? listenTo(signal);
  acts.push(act);
}

export function offAbort(signal: AbortSignal, act: () => void): void {
  const acts = waiting.get(signal);
  if (acts === undefined) return;
  const place = acts.lastIndexOf(act); // nearly always the one that came last
  if (place === acts.length - 1) acts.pop();
  else if (place >= 0) acts.splice(place, 1);
}

function listenTo(signal: AbortSignal): (() => void)[] {
  const acts: (() => void)[] = [];
  waiting.set(signal, acts);
  signal.addEventListener("abort", () => {
    for (let act = acts.shift(); act !== undefined; act = acts.shift()) act(); // one by one: an act may have others leave
  });
  return acts;
}

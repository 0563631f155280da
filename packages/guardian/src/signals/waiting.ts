import type { SignalOf, WaitingFor } from "../signal.ts";
import type { Draft } from "../state/draft.ts";

/** The run waits for something else. A retry of a request continues the same wait. */
export function onWaiting({ clock }: Draft, signal: SignalOf<"waiting">): void {
  const isSameWait = isForRequest(clock.waitingFor) && isForRequest(signal.for);
  if (!isSameWait) clock.idleMs = 0;
  clock.waitingFor = signal.for;
}

function isForRequest(waitingFor: WaitingFor | undefined): boolean {
  return waitingFor === "first-byte" || waitingFor === "stream";
}

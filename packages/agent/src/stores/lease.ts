import { isGone } from "./holder.ts";
import { type Holder, LeaseLostError } from "./stores.ts";

/** How long a lease lasts that nobody renews. */
const leaseMs = 60_000;

/** Whether a lease still holds others off. */
export function isLeaseActive(holder: Holder, renewedAt: number, at: number): boolean {
  return at - renewedAt < leaseMs && !isGone(holder);
}

/** The error for one who writes without the right to. */
export function leaseLostError(sessionId: string, holder: Holder | undefined): LeaseLostError {
  const by =
    holder === undefined ? "nobody has its lease now" : `its lease is process ${holder.pid}'s on ${holder.host} now`;
  return new LeaseLostError(`Session ${sessionId} was not written to: ${by}.`);
}

/** The error for one who wants to remove a session that is written to. */
export function sessionInUseError(sessionId: string, holder: Holder): Error {
  return new Error(`Session ${sessionId} is in use by process ${holder.pid} on ${holder.host}.`);
}

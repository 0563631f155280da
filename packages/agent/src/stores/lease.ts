import { isGone } from "./holder.ts";
import { type Holder, LeaseLostError } from "./stores.ts";

/** How long a lease lasts without a renewal. */
const leaseMs = 60_000;

/** Whether a lease still keeps other processes from claiming the session. */
export function isLeaseActive(holder: Holder, renewedAt: number, at: number): boolean {
  return at - renewedAt < leaseMs && !isGone(holder);
}

/** The error for a process that writes without a valid lease. */
export function leaseLostError(sessionId: string, holder: Holder | undefined): LeaseLostError {
  const reason =
    holder === undefined ? "no process holds its lease now" : `process ${holder.pid} on ${holder.host} holds its lease`;
  return new LeaseLostError(`Session ${sessionId} was not written to: ${reason}.`);
}

/** The error for a process that tries to remove a session while another process holds it. */
export function sessionInUseError(sessionId: string, holder: Holder): Error {
  return new Error(`Session ${sessionId} is in use by process ${holder.pid} on ${holder.host}.`);
}

import { machineClock } from "../protocol/clock.ts";
import { thisProcess } from "../stores/holder.ts";
import type { Stores } from "../stores/stores.ts";
import { unansweredCallsOf, unknownOutcome } from "./unanswered-calls.ts";

/**
 * Makes a session that has heard and said what another has so far, and goes on by itself: its guardian remembers the same, what the other has cost stays the
 * other's. A call that goes on there is of unknown outcome here. Rejects where there is nothing to begin from, or something to overwrite.
 */
export async function forkSession(
  stores: Stores,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Promise<void> {
  const { messages, checkpoint } = await stores.sessions.load(from);
  if (messages.length === 0)
    throw new Error(`Expected a session to fork; there is nothing in one with the id ${from}.`);
  const claim = await stores.sessions.claim(to, thisProcess(), at);
  if (!claim.ok)
    throw new Error(`Expected a new session, ${to} is in use by process ${claim.holder.pid} on ${claim.holder.host}.`);
  try {
    if ((await stores.sessions.load(to)).messages.length > 0)
      throw new Error(`Expected a new session, ${to} holds messages.`);
    const clock = { now: () => at, newId: machineClock.newId };
    const closed = unansweredCallsOf(messages).map((call) => unknownOutcome(call, { clock }));
    await stores.sessions.commit(claim.lease, {
      at,
      messages: [...messages, ...closed],
      ...(checkpoint === undefined ? {} : { checkpoint }),
    });
  } finally {
    await stores.sessions.release(claim.lease);
  }
}

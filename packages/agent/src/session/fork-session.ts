import { machineClock } from "../protocol/clock.ts";
import { missingResult } from "../protocol/missing-result.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import { thisProcess } from "../stores/holder.ts";
import type { Checkpoint, Stores } from "../stores/stores.ts";
import { unansweredCallsOf } from "./unanswered-calls.ts";

/**
 * Copies the messages and the checkpoint of a session into a new one. The costs stay with the original session. A call
 * that is still running there has an unknown outcome in the copy.
 * Rejects when the original is empty, or when the new session has messages.
 */
export async function forkSession(
  stores: Stores,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Promise<void> {
  const { messages, checkpoint, runs } = await stores.sessions.load(from);
  if (messages.length === 0) throw new Error(`Expected a session to fork; the session ${from} is empty or unknown.`);
  const claim = await stores.sessions.claim(to, thisProcess(), at);
  if (!claim.ok)
    throw new Error(`Expected a new session, ${to} is in use by process ${claim.holder.pid} on ${claim.holder.host}.`);
  try {
    if ((await stores.sessions.load(to)).messages.length > 0)
      throw new Error(`Expected a new session, ${to} holds messages.`);
    const clock = { now: () => at, newId: machineClock.newId };
    const unknownResults = unansweredCallsOf(messages).map((call) => missingResult(call, "outcome-unknown", clock));
    await stores.sessions.commit(claim.lease, {
      at,
      messages: [...messages, ...unknownResults],
      ...(checkpoint === undefined ? {} : { checkpoint: withSpec(checkpoint, runs.at(-1)?.spec) }),
    });
  } finally {
    await stores.sessions.release(claim.lease);
  }
}

/** The copy has no run that could know what it was started with. */
function withSpec(checkpoint: Checkpoint, spec: RunSpec | undefined): Checkpoint {
  return spec === undefined ? checkpoint : { ...checkpoint, spec };
}

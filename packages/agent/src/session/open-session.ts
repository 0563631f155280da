import type { Clock } from "../protocol/clock.ts";
import type { Holder, Lease, SavedSession, Stores } from "../stores/stores.ts";

const RENEW_MS = 15_000;

/** Another process, or another runtime of this one, works on the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(sessionId: string, { pid, host }: Holder) {
    const by = pid === process.pid ? "another runtime of this process" : `process ${pid} on ${host}`;
    super(`The session ${sessionId} is in use by ${by}. Wait until it is done, or end it.`);
  }
}

/** A session that this process writes to. */
export interface OpenSession {
  readonly lease: Lease;
  readonly saved: SavedSession;
  /** Gives the session free. */
  close(): Promise<void>;
}

/** Claims a session and loads it. Rejects with a sentence where another process writes to it. `onLost` is called when it is taken away. */
export async function openSession(
  { stores, clock, holder }: { readonly stores: Stores; readonly clock: Clock; readonly holder: Holder },
  sessionId: string,
  onLost: () => void,
): Promise<OpenSession> {
  const { sessions } = stores;
  const claim = await sessions.claim(sessionId, holder, clock.now());
  if (!claim.ok) throw new SessionInUseError(sessionId, claim.holder);
  const { lease } = claim;
  const renew = () =>
    void sessions.renew(lease, clock.now()).then(
      (isOurs) => (isOurs ? undefined : onLost()),
      () => undefined, // the next commit tells what is wrong
    );
  const stop = clock.every(RENEW_MS, renew);
  const close = async () => {
    stop();
    await sessions.release(lease).catch(() => undefined); // it ends by itself with this process
  };
  try {
    return { lease, saved: await sessions.load(sessionId), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where to go on counting events: a process that ended has told some that it did not come to write, and no number is given twice. */
export function beyond(lastSeq: number): number {
  return (Math.floor(lastSeq / 1_000_000) + 1) * 1_000_000;
}

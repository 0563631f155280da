import type { Clock } from "../protocol/clock.ts";
import type { Holder, Lease, SavedSession, Stores } from "../stores/stores.ts";

const RENEW_MS = 15_000;
const SEQ_GAP = 1_000_000;

/** Another process, or another runtime of this process, writes to the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(sessionId: string, { pid, host }: Holder) {
    const owner = pid === process.pid ? "another runtime of this process" : `process ${pid} on ${host}`;
    super(`The session ${sessionId} is in use by ${owner}. Wait until it is done, or end it.`);
  }
}

/** A session that this process may write to. */
export interface OpenSession {
  readonly lease: Lease;
  readonly saved: SavedSession;
  /** Releases the lease. */
  close(): Promise<void>;
}

export interface OpenSessionOptions {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly holder: Holder;
}

/** Claims and loads a session. Rejects with `SessionInUseError`; `onLost` is called if the lease is lost later. */
export async function openSession(
  { stores: { sessions }, clock, holder }: OpenSessionOptions,
  sessionId: string,
  onLost: () => void,
): Promise<OpenSession> {
  const claim = await sessions.claim(sessionId, holder, clock.now());
  if (!claim.ok) throw new SessionInUseError(sessionId, claim.holder);
  const { lease } = claim;
  const renew = async () => {
    try {
      if (!(await sessions.renew(lease, clock.now()))) onLost();
    } catch {
      // A failing disk is reported by the next commit.
    }
  };
  const stopRenewing = clock.every(RENEW_MS, () => void renew());
  const close = async () => {
    stopRenewing();
    await sessions.release(lease).catch(() => undefined); // the lease ends with this process anyway
  };
  try {
    return { lease, saved: await sessions.load(sessionId), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The number after which a new process continues: a crashed process may have published events it did not write. */
export function nextSeqBlock(lastSeq: number): number {
  return (Math.floor(lastSeq / SEQ_GAP) + 1) * SEQ_GAP;
}

import { setTimeout as wait } from "node:timers/promises";
import { type AuditEntry, type AuditFilter, type AuditStore, auditEntries, type SavedAuditRow } from "@sheepdog/agent";
import { signalExitCode } from "../../exit-code.ts";
import type { InterruptSignal, Io } from "../../io.ts";

const POLL_MS = 300;
const ROWS_PER_POLL = 500;
/** Rows that are kept to find the outcome of an earlier decision. */
const MAX_ROWS = 2_000;
const ROWS_BEFORE = 200;

export interface FollowOptions {
  readonly filter: AuditFilter;
  readonly io: Pick<Io, "onInterrupt">;
  print(entry: AuditEntry): Promise<void>;
}

/**
 * Prints the newest decisions, then each new one as it is saved, by any process, until an interrupt. A decision is
 * printed again when the user has answered, and when its outcome turns out to be more than harmless. Returns the exit
 * code.
 */
export async function followAudit(audit: AuditStore, { filter, io, print }: FollowOptions): Promise<number> {
  const stop = new AbortController();
  let signal: InterruptSignal = "SIGINT";
  const stopListening = io.onInterrupt((received) => {
    signal = received;
    stop.abort();
  });
  try {
    const startSeq = await audit.lastSeq();
    const printed = new Map<number, Shown>(); // by sequence number
    const printOnce = async (entry: AuditEntry) => {
      if (!isNews(entry, printed, startSeq)) return;
      printed.set(entry.seq, shownOf(entry));
      await print(entry);
    };
    for (const entry of (await audit.list(filter)).toReversed()) {
      printed.set(entry.seq, shownOf(entry));
      await print(entry);
    }
    let rows: readonly SavedAuditRow[] = [];
    const { limit: _limit, ...newFilter } = filter;
    while (!stop.signal.aborted) {
      const lastSeq = rows.at(-1)?.seq ?? Math.max(0, startSeq - ROWS_BEFORE);
      const added = await audit.rowsAfter(lastSeq, ROWS_PER_POLL);
      rows = [...rows, ...added].slice(-MAX_ROWS);
      if (added.length > 0)
        for (const entry of auditEntries(rows.toReversed(), newFilter).toReversed()) await printOnce(entry);
      // An entry that is no longer among the rows cannot come again.
      for (const seq of printed.keys()) if (seq < (rows[0]?.seq ?? 0)) printed.delete(seq);
      if (added.length < ROWS_PER_POLL) await wait(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    return signalExitCode(signal);
  } finally {
    stopListening();
  }
}

/** What was printed of an entry. */
interface Shown {
  readonly hasAnswer: boolean;
  readonly outcome: string;
}

const shownOf = ({ approval, outcome: { outcome } }: AuditEntry): Shown => ({
  hasAnswer: approval !== undefined,
  outcome,
});

/** Whether an entry is new, or has an answer or a bad outcome that was not printed yet. */
function isNews(entry: AuditEntry, printed: ReadonlyMap<number, Shown>, startSeq: number): boolean {
  const shown = printed.get(entry.seq);
  if (shown === undefined) return entry.seq > startSeq;
  const { hasAnswer, outcome } = shownOf(entry);
  return (
    hasAnswer !== shown.hasAnswer || (outcome !== shown.outcome && outcome !== "harmless" && outcome !== "unknown")
  );
}

import type { Clock } from "../protocol/clock.ts";
import type { Stores } from "./stores.ts";

/** Longer than a store waits for the lock of another process. */
const STORE_WAIT_MS = 180_000;

/** A lease ends by itself, so its release is not waited for long. */
const RELEASE_WAIT_MS = 10_000;

/**
 * The stores of one run, with a time limit for every answer: a store that never answers must not keep the run from
 * ending. After one missed answer all later calls fail at once, since it is not known what was written. A call that
 * throws becomes a rejection.
 */
export function boundedStores(stores: Stores, clock: Pick<Clock, "after">): Stores {
  let failure: Error | undefined;

  const bounded =
    <Args extends readonly unknown[], Answer>(
      name: string,
      call: (...args: Args) => Promise<Answer>,
      waitMs = STORE_WAIT_MS,
    ) =>
    async (...args: Args): Promise<Answer> => {
      if (failure !== undefined) throw failure;
      let stopTimer = () => {};
      const tooLate = new Promise<never>((_, reject) => {
        stopTimer = clock.after(waitMs, () => {
          failure ??= new Error(`The store did not answer ${name} within ${waitMs / 1_000} seconds.`);
          reject(failure);
        });
      });
      try {
        return await Promise.race([call(...args), tooLate]);
      } finally {
        stopTimer();
      }
    };

  const { sessions, costs, events, memory, audit, lessons } = stores;
  return {
    // A run does not wait for these: tools have a time limit of their own.
    events,
    memory,
    audit: {
      list: bounded("audit.list", (...args) => audit.list(...args)),
      rowsAfter: (...args) => audit.rowsAfter(...args),
      lastSeq: () => audit.lastSeq(),
      removeBefore: (...args) => audit.removeBefore(...args),
    },
    close: () => stores.close(),
    sessions: {
      load: bounded("load", (...args) => sessions.load(...args)),
      claim: bounded("claim", (...args) => sessions.claim(...args)),
      renew: bounded("renew", (...args) => sessions.renew(...args)),
      release: bounded("release", (...args) => sessions.release(...args), RELEASE_WAIT_MS),
      commit: bounded("commit", (...args) => sessions.commit(...args)),
      list: bounded("list", () => sessions.list()),
      findRuns: bounded("findRuns", (...args) => sessions.findRuns(...args)),
      remove: bounded("remove", (...args) => sessions.remove(...args)),
    },
    costs: {
      reserve: bounded("reserve", (...args) => costs.reserve(...args)),
      recordPossibleUse: bounded("recordPossibleUse", (...args) => costs.recordPossibleUse(...args)),
      reserved: bounded("reserved", (...args) => costs.reserved(...args)),
      unconfirmed: bounded("unconfirmed", (...args) => costs.unconfirmed(...args)),
      settleUnconfirmed: bounded("settleUnconfirmed", (...args) => costs.settleUnconfirmed(...args)),
      totals: bounded("totals", (...args) => costs.totals(...args)),
      sums: bounded("sums", (...args) => costs.sums(...args)),
      rows: bounded("rows", (...args) => costs.rows(...args)),
    },
    lessons: {
      learn: bounded("learn", (...args) => lessons.learn(...args)),
      relevant: bounded("relevant", (...args) => lessons.relevant(...args)),
      list: bounded("list", () => lessons.list()),
      remove: bounded("remove", (...args) => lessons.remove(...args)),
      noteApplied: bounded("noteApplied", (...args) => lessons.noteApplied(...args)),
      weaken: bounded("weaken", (...args) => lessons.weaken(...args)),
    },
  };
}

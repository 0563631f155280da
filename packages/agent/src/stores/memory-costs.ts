import { type Balance, checkCost, refusingLimit, reservationMs } from "./money.ts";
import type { BookedCost, CostRow, CostStore, CostTotals } from "./stores.ts";
import { sumRows } from "./sum-rows.ts";
import { dayOf, monthOf } from "./utc.ts";

/** The books in memory, with what the sessions write into them. */
export interface MemoryCosts extends CostStore {
  /** Throws where they cannot be settled, and has done nothing then. */
  checkSettle(rows: readonly CostRow[]): void;
  settle(rows: readonly CostRow[]): void;
  /** Books what a session has reserved as unconfirmed. */
  giveUp(sessionId: string): void;
}

/** Books that last as long as the process. */
export function createCosts(): MemoryCosts {
  const rows = new Map<string, BookedCost>();
  const reserved = new Map<string, BookedCost>(); // those of `rows` that are
  const balances = new Map<string, Balance>();
  const balance = (key: string) => balances.get(key) ?? { spent: 0, reserved: 0 };

  const count = (row: BookedCost, sign: 1 | -1) => {
    const cost = sign * (row.costNanoUsd ?? 0);
    for (const key of keysOf(row.sessionId, row.at)) {
      const { spent, reserved } = balance(key);
      balances.set(key, row.state === "reserved" ? { spent, reserved: reserved + cost } : { spent: spent + cost, reserved });
    }
  };
  const book = (row: BookedCost) => {
    const before = rows.get(keyOf(row));
    if (before !== undefined) count(before, -1);
    rows.set(keyOf(row), row);
    if (row.state === "reserved") reserved.set(keyOf(row), row);
    else reserved.delete(keyOf(row));
    count(row, 1);
  };
  const totalsOf = (sessionId: string, at: number): CostTotals => {
    const [session, day, month] = keysOf(sessionId, at);
    return { session: balance(session).spent, day: balance(day).spent, month: balance(month).spent, dayName: dayOf(at), monthName: monthOf(at) };
  };
  const giveUpOlderThan = (at: number) => {
    for (const row of [...reserved.values()]) if (row.at < at) book({ ...row, state: "unconfirmed" });
  };

  return {
    async reserve(row, limits) {
      checkCost(row);
      if (rows.has(keyOf(row))) throw new Error(`Request ${row.id} is in the books already.`);
      giveUpOlderThan(row.at - reservationMs);
      const [session, day, month] = keysOf(row.sessionId, row.at);
      const now = { session: balance(session), day: balance(day), month: balance(month) };
      const totals = totalsOf(row.sessionId, row.at);
      const limit = refusingLimit(now, row.costNanoUsd ?? 0, limits);
      if (limit !== undefined) return { ok: false, totals, limit, reserved: now[limit].reserved };
      book({ ...copyOf(row), state: "reserved" });
      return { ok: true, totals };
    },
    async totals(sessionId, at) {
      giveUpOlderThan(at - reservationMs);
      return totalsOf(sessionId, at);
    },
    sums: async (by, of = {}) => sumRows([...rows.values()], by, of),
    rows: async (sessionId) =>
      [...rows.values()]
        .filter((row) => row.sessionId === sessionId)
        .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
        .map((row) => ({ ...copyOf(row), state: row.state })),
    checkSettle(given) {
      for (const row of given) {
        checkCost(row);
        dayOf(row.at);
      }
    },
    settle(given) {
      for (const row of given) book({ ...copyOf(row), at: rows.get(keyOf(row))?.at ?? row.at, state: "settled" }); // the time it was made stays
    },
    giveUp(sessionId) {
      for (const row of [...reserved.values()]) if (row.sessionId === sessionId) book({ ...row, state: "unconfirmed" });
    },
  };
}

const keyOf = ({ sessionId, id }: CostRow) => JSON.stringify([sessionId, id]);
const keysOf = (sessionId: string, at: number) => [`session ${sessionId}`, `day ${dayOf(at)}`, `month ${monthOf(at)}`] as const;

function copyOf({ id, sessionId, runId, model, at, usage, costNanoUsd }: CostRow): CostRow {
  return { id, sessionId, runId, model, at, usage: { ...usage }, costNanoUsd };
}

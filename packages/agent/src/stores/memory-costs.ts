import { sumCosts } from "./cost-sums.ts";
import { type Balance, byTime, checkCost, isLost, refusingLimit, unconfirmedRow } from "./money-limits.ts";
import type { CostRow, CostStore, CostTotals, LedgerEntry, MoneyLimits, PossibleUse } from "./stores.ts";
import { dayOf, monthOf } from "./utc.ts";

/** The cost ledger in memory, with the operations that sessions need. */
export interface MemoryCosts extends CostStore {
  /** Throws when a row cannot be settled; changes nothing. */
  checkSettle(rows: readonly CostRow[]): void;
  settle(rows: readonly CostRow[]): void;
  /** Marks the reservations of a session as unconfirmed. */
  markUnconfirmed(sessionId: string): void;
}

/**
 * Creates an empty cost ledger. Balances are updated with every change, so that no operation adds up all rows.
 * `hasEnded` tells whether the process of a request is known to have ended.
 */
export function createMemoryCosts(hasEnded: (row: CostRow) => boolean): MemoryCosts {
  const ledger = new Map<string, SessionLedger>();
  const days = new Map<string, MutableBalance>();
  const months = new Map<string, MutableBalance>();
  const reserved = new Set<Entry>();

  const ledgerOf = (sessionId: string) =>
    getOrCreate(ledger, sessionId, () => ({ balance: zero(), entries: new Map() }));
  const balancesOf = (sessionId: string, at: number): Balances => ({
    session: ledgerOf(sessionId).balance,
    day: getOrCreate(days, dayOf(at), zero),
    month: getOrCreate(months, monthOf(at), zero),
  });
  const add = (row: LedgerEntry) => {
    const entry = { row: copyRow(row), balances: balancesOf(row.sessionId, row.at) };
    ledgerOf(row.sessionId).entries.set(row.id, entry);
    if (row.state === "reserved") reserved.add(entry);
    updateBalances(entry, 1);
  };
  /** The time of the request stays: it decides the day and month that pay for it. */
  const replace = (entry: Entry, row: LedgerEntry) => {
    reserved.delete(entry);
    updateBalances(entry, -1);
    entry.row = copyRow({ ...row, at: entry.row.at });
    updateBalances(entry, 1);
  };
  const markUnconfirmedWhere = (isWanted: (row: LedgerEntry) => boolean) => {
    for (const entry of [...reserved])
      if (isWanted(entry.row)) replace(entry, { ...unconfirmedRow(entry.row, entry.possible), state: "unconfirmed" });
  };
  const markLost = (at?: number) => markUnconfirmedWhere((row) => isLost({ row, hasEnded: hasEnded(row) }, at));

  return {
    async reserve(row, limits) {
      checkCost(row);
      if (ledgerOf(row.sessionId).entries.has(row.id)) throw new Error(`Request ${row.id} is in the ledger already.`);
      markLost(row.at);
      const balances = balancesOf(row.sessionId, row.at);
      const totals = totalsOf(balances, row.at);
      const limit = refusingLimit(balances, row.costNanoUsd ?? 0, limits);
      if (limit !== undefined) return { ok: false, totals, limit, reserved: balances[limit].reserved };
      add({ ...row, state: "reserved" });
      const entry = ledgerOf(row.sessionId).entries.get(row.id);
      if (entry !== undefined && row.possible !== undefined) entry.possible = row.possible;
      return { ok: true, totals };
    },
    async recordPossibleUse({ sessionId, id }, possible) {
      const entry = ledgerOf(sessionId).entries.get(id);
      if (entry?.row.state === "reserved") entry.possible = possible;
    },
    async reserved(at) {
      markLost(at);
      return Array.from(reserved, ({ row }) => copyRow(row)).sort(byTime);
    },
    async unconfirmed(at) {
      markLost(at);
      const rows = [...ledger.values()].flatMap(({ entries }) => Array.from(entries.values(), ({ row }) => row));
      const isListed = ({ state, correction }: LedgerEntry) => state === "unconfirmed" || correction !== undefined;
      return rows.filter(isListed).map(copyRow).sort(byTime);
    },
    async settleUnconfirmed({ sessionId, id }, { costNanoUsd, by, at }) {
      markLost(at);
      const entry = ledgerOf(sessionId).entries.get(id);
      if (entry?.row.state !== "unconfirmed") return false;
      const settled: LedgerEntry = { ...entry.row, costNanoUsd, state: "settled" };
      checkCost(settled);
      replace(entry, { ...settled, correction: { by, at, fromNanoUsd: entry.row.costNanoUsd } });
      return true;
    },
    async totals(sessionId, at) {
      markLost(at);
      return totalsOf(balancesOf(sessionId, at), at);
    },
    async sums(by, of = {}) {
      markLost(of.at);
      const rows = [...ledger.values()].flatMap(({ entries }) => Array.from(entries.values(), ({ row }) => row));
      return sumCosts(rows, by, of);
    },
    async rows(sessionId) {
      markLost();
      const rows = Array.from(ledgerOf(sessionId).entries.values(), ({ row }) => copyRow(row));
      return rows.sort(byTime);
    },
    checkSettle(rows) {
      for (const row of rows) checkCost(row);
    },
    settle(rows) {
      for (const row of rows) {
        const entry = ledgerOf(row.sessionId).entries.get(row.id);
        if (entry === undefined) add({ ...row, state: "settled" });
        else replace(entry, { ...row, state: "settled" });
      }
    },
    markUnconfirmed: (sessionId) => markUnconfirmedWhere((row) => row.sessionId === sessionId),
  };
}

type MutableBalance = { -readonly [K in keyof Balance]: Balance[K] };

type Balances = Readonly<Record<keyof MoneyLimits, MutableBalance>>;

/** A row, and the balances that include it. */
interface Entry {
  row: LedgerEntry;
  possible?: PossibleUse;
  readonly balances: Balances;
}

interface SessionLedger {
  readonly balance: MutableBalance;
  /** By request id. */
  readonly entries: Map<string, Entry>;
}

function zero(): MutableBalance {
  return { spent: 0, reserved: 0 };
}

function updateBalances({ row, balances }: Entry, sign: 1 | -1): void {
  const amount = row.state === "reserved" ? "reserved" : "spent";
  for (const balance of [balances.session, balances.day, balances.month])
    balance[amount] += sign * (row.costNanoUsd ?? 0);
}

function totalsOf({ session, day, month }: Balances, at: number): CostTotals {
  return { session: session.spent, day: day.spent, month: month.spent, dayName: dayOf(at), monthName: monthOf(at) };
}

function getOrCreate<T>(values: Map<string, T>, name: string, create: () => T): T {
  const existing = values.get(name);
  if (existing !== undefined) return existing;
  const created = create();
  values.set(name, created);
  return created;
}

function copyRow(row: LedgerEntry): LedgerEntry {
  const { id, sessionId, runId, model, at, usage, costNanoUsd, state, purpose = "turn", correction } = row;
  const corrected = correction === undefined ? {} : { correction };
  const copy = { id, sessionId, runId, model, at, usage: { ...usage }, costNanoUsd, state, ...corrected };
  return purpose === "turn" ? copy : { ...copy, purpose };
}

import { keepShape } from "../async/keep-shape.ts";
import { sumCosts } from "./cost-sums.ts";
import { type Balance, checkCost, refusingLimit, reservationMs } from "./money-limits.ts";
import type { CostRow, CostStore, CostSum, CostTotals, LedgerEntry, MoneyLimits, ReservationResult } from "./stores.ts";
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
  return new Books();
}

/** What stands in the books of a session, a day or a month, as it changes. */
type Account = { -readonly [K in keyof Balance]: Balance[K] };

type Accounts = Readonly<Record<keyof MoneyLimits, Account>>;

/** A row, and the accounts it is counted in. */
interface Entry {
  row: LedgerEntry;
  readonly accounts: Accounts;
}

/** The rows of a session, by their ids. */
interface SessionBook {
  readonly account: Account;
  readonly entries: Map<string, Entry>;
}

class Books implements MemoryCosts {
  private readonly sessions = new Map<string, SessionBook>();
  /** All that are reserved: few, and the newest is settled first as a rule. */
  private readonly reserved: Entry[] = [];
  private readonly days = new Map<string, Account>();
  private readonly months = new Map<string, Account>();

  async reserve(row: CostRow, limits: MoneyLimits): Promise<ReservationResult> {
    checkCost(row);
    const book = this.bookOf(row.sessionId);
    if (book.entries.has(row.id)) throw new Error(`Request ${row.id} is in the books already.`);
    this.giveUpOlderThan(row.at - reservationMs);
    const accounts = this.accountsOf(book, row.at);
    const totals = totalsOf(accounts, row.at);
    const limit = refusingLimit(accounts, row.costNanoUsd ?? 0, limits);
    if (limit !== undefined) return { ok: false, totals, limit, reserved: accounts[limit].reserved };
    this.enter(book, { row: bookedAs("reserved", row, row.at), accounts });
    return { ok: true, totals };
  }

  async totals(sessionId: string, at: number): Promise<CostTotals> {
    this.giveUpOlderThan(at - reservationMs);
    return totalsOf(this.accountsOf(this.bookOf(sessionId), at), at);
  }

  async sums(
    by: Parameters<CostStore["sums"]>[0],
    of: Parameters<CostStore["sums"]>[1] = {},
  ): Promise<readonly CostSum[]> {
    return sumCosts(
      [...this.sessions.values()].flatMap(({ entries }) => Array.from(entries.values(), ({ row }) => row)),
      by,
      of,
    );
  }

  async rows(sessionId: string): Promise<readonly LedgerEntry[]> {
    return Array.from(this.sessions.get(sessionId)?.entries.values() ?? [], ({ row }) =>
      bookedAs(row.state, row, row.at),
    ).sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  }

  checkSettle(rows: readonly CostRow[]): void {
    for (const row of rows) {
      checkCost(row);
      dayOf(row.at);
    }
  }

  settle(rows: readonly CostRow[]): void {
    for (const row of rows) {
      const book = this.bookOf(row.sessionId);
      const entry = book.entries.get(row.id);
      if (entry === undefined)
        this.enter(book, { row: bookedAs("settled", row, row.at), accounts: this.accountsOf(book, row.at) });
      else this.change(entry, bookedAs("settled", row, entry.row.at)); // the time it was made stays
    }
  }

  giveUp(sessionId: string): void {
    for (const entry of this.reserved.filter(({ row }) => row.sessionId === sessionId))
      this.change(entry, bookedAs("unconfirmed", entry.row, entry.row.at));
  }

  private giveUpOlderThan(at: number): void {
    if (this.reserved.length === 0) return;
    for (const entry of this.reserved.filter(({ row }) => row.at < at))
      this.change(entry, bookedAs("unconfirmed", entry.row, entry.row.at));
  }

  private enter({ entries }: SessionBook, entry: Entry): void {
    entries.set(entry.row.id, entry);
    if (entry.row.state === "reserved") this.reserved.push(entry);
    count(entry, 1);
  }

  /** Nothing that is in the books becomes reserved once more. */
  private change(entry: Entry, row: LedgerEntry): void {
    if (entry.row.state === "reserved") this.reserved.splice(this.reserved.lastIndexOf(entry), 1);
    count(entry, -1);
    entry.row = row;
    count(entry, 1);
  }

  private accountsOf({ account }: SessionBook, at: number): Accounts {
    return { session: account, day: accountIn(this.days, dayOf(at)), month: accountIn(this.months, monthOf(at)) };
  }

  private bookOf(sessionId: string): SessionBook {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    const opened: SessionBook = { account: { spent: 0, reserved: 0 }, entries: new Map() };
    this.sessions.set(sessionId, opened);
    return opened;
  }
}

function count({ row, accounts: { session, day, month } }: Entry, sign: 1 | -1): void {
  const cost = sign * (row.costNanoUsd ?? 0);
  if (row.state === "reserved") {
    session.reserved += cost;
    day.reserved += cost;
    month.reserved += cost;
  } else {
    session.spent += cost;
    day.spent += cost;
    month.spent += cost;
  }
}

function totalsOf({ session, day, month }: Accounts, at: number): CostTotals {
  return { session: session.spent, day: day.spent, month: month.spent, dayName: dayOf(at), monthName: monthOf(at) };
}

function accountIn(accounts: Map<string, Account>, name: string): Account {
  const known = accounts.get(name);
  if (known !== undefined) return known;
  const opened: Account = { spent: 0, reserved: 0 };
  accounts.set(name, opened);
  return opened;
}

function bookedAs(
  state: LedgerEntry["state"],
  { id, sessionId, runId, model, usage, costNanoUsd }: CostRow,
  at: number,
): LedgerEntry {
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  return {
    id,
    sessionId,
    runId,
    model,
    at,
    usage: { input, cacheRead, cacheWrite, output, isEstimated },
    costNanoUsd,
    state,
  };
}

keepShape(new Books());

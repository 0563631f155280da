import { keepShape } from "../keep-shape.ts";
import { type Balance, checkCost, refusingLimit, reservationMs } from "./money.ts";
import type { BookedCost, CostRow, CostStore, CostSum, CostTotals, MoneyLimits, Reserved } from "./stores.ts";
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
  return new Books();
}

/** What stands in the books of a session, a day or a month, as it changes. */
type Account = { -readonly [K in keyof Balance]: Balance[K] };

/** The rows of a session, by their ids. */
interface SessionBook {
  readonly account: Account;
  readonly rows: Map<string, BookedCost>;
}

class Books implements MemoryCosts {
  private readonly sessions = new Map<string, SessionBook>();
  /** All that are reserved. */
  private readonly reserved = new Set<BookedCost>();
  private readonly days = new Map<string, Account>();
  private readonly months = new Map<string, Account>();

  async reserve(row: CostRow, limits: MoneyLimits): Promise<Reserved> {
    checkCost(row);
    if (this.bookOf(row.sessionId).rows.has(row.id)) throw new Error(`Request ${row.id} is in the books already.`);
    this.giveUpOlderThan(row.at - reservationMs);
    const now = this.accountsOf(row.sessionId, row.at);
    const totals = this.totalsOf(row.sessionId, row.at);
    const limit = refusingLimit(now, row.costNanoUsd ?? 0, limits);
    if (limit !== undefined) return { ok: false, totals, limit, reserved: now[limit].reserved };
    this.book(bookedAs("reserved", row, row.at));
    return { ok: true, totals };
  }

  async totals(sessionId: string, at: number): Promise<CostTotals> {
    this.giveUpOlderThan(at - reservationMs);
    return this.totalsOf(sessionId, at);
  }

  async sums(by: Parameters<CostStore["sums"]>[0], of: Parameters<CostStore["sums"]>[1] = {}): Promise<readonly CostSum[]> {
    return sumRows(
      [...this.sessions.values()].flatMap(({ rows }) => [...rows.values()]),
      by,
      of,
    );
  }

  async rows(sessionId: string): Promise<readonly BookedCost[]> {
    return [...(this.sessions.get(sessionId)?.rows.values() ?? [])]
      .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
      .map((row) => bookedAs(row.state, row, row.at));
  }

  checkSettle(rows: readonly CostRow[]): void {
    for (const row of rows) {
      checkCost(row);
      dayOf(row.at);
    }
  }

  settle(rows: readonly CostRow[]): void {
    for (const row of rows) this.book(bookedAs("settled", row, this.bookOf(row.sessionId).rows.get(row.id)?.at ?? row.at)); // the time it was made stays
  }

  giveUp(sessionId: string): void {
    for (const row of this.reserved) if (row.sessionId === sessionId) this.book(bookedAs("unconfirmed", row, row.at));
  }

  private giveUpOlderThan(at: number): void {
    for (const row of this.reserved) if (row.at < at) this.book(bookedAs("unconfirmed", row, row.at));
  }

  private book(row: BookedCost): void {
    const { rows } = this.bookOf(row.sessionId);
    const before = rows.get(row.id);
    if (before !== undefined) {
      this.count(before, -1);
      this.reserved.delete(before);
    }
    rows.set(row.id, row);
    if (row.state === "reserved") this.reserved.add(row);
    this.count(row, 1);
  }

  private count(row: BookedCost, sign: 1 | -1): void {
    const cost = sign * (row.costNanoUsd ?? 0);
    const { session, day, month } = this.accountsOf(row.sessionId, row.at);
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

  private totalsOf(sessionId: string, at: number): CostTotals {
    const { session, day, month } = this.accountsOf(sessionId, at);
    return { session: session.spent, day: day.spent, month: month.spent, dayName: dayOf(at), monthName: monthOf(at) };
  }

  private accountsOf(sessionId: string, at: number): Readonly<Record<keyof MoneyLimits, Account>> {
    return { session: this.bookOf(sessionId).account, day: accountIn(this.days, dayOf(at)), month: accountIn(this.months, monthOf(at)) };
  }

  private bookOf(sessionId: string): SessionBook {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    const opened: SessionBook = { account: { spent: 0, reserved: 0 }, rows: new Map() };
    this.sessions.set(sessionId, opened);
    return opened;
  }
}

function accountIn(accounts: Map<string, Account>, name: string): Account {
  const known = accounts.get(name);
  if (known !== undefined) return known;
  const opened: Account = { spent: 0, reserved: 0 };
  accounts.set(name, opened);
  return opened;
}

function bookedAs(state: BookedCost["state"], { id, sessionId, runId, model, usage, costNanoUsd }: CostRow, at: number): BookedCost {
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  return { id, sessionId, runId, model, at, usage: { input, cacheRead, cacheWrite, output, isEstimated }, costNanoUsd, state };
}

keepShape(new Books());

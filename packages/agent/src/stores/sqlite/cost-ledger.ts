import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import { keepShape } from "../../async/keep-shape.ts";
import { refusingLimit, reservationMs } from "../money-limits.ts";
import type { CostRow, CostTotals, LedgerEntry, MoneyLimits, ReservationResult } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { noDatabase } from "./no-database.ts";

/** What may be done to the books within a transaction. */
export interface CostLedger {
  reserve(row: CostRow, limits: MoneyLimits): ReservationResult;
  settle(row: CostRow): void;
  /** Books what a session has reserved as unconfirmed. */
  markUnconfirmed(sessionId: string): void;
  totals(sessionId: string, at: number): CostTotals;
  /** Of a session, oldest first. */
  rows(sessionId: string): Iterable<LedgerEntry>;
}

/** The books in a database: open reservations, requests that are done with, and what was spent by each session, day and month, always up to date. */
export function createCostLedger(database: SqliteDatabase): CostLedger {
  return new PreparedBooks(database);
}

class PreparedBooks implements CostLedger {
  private readonly insertReservation: Prepared;
  private readonly endReservation: Prepared;
  private readonly takeReservation: Prepared;
  private readonly reservations: Prepared;
  private readonly reservationsOf: Prepared;
  private readonly insertCost: Prepared;
  private readonly takeCost: Prepared;
  private readonly getSpent: Prepared;
  private readonly getSpentAndBooked: Prepared;
  private readonly addSpent: Prepared;
  private readonly takeSpent: Prepared;
  private readonly rowsOf: Prepared;

  constructor(database: SqliteDatabase) {
    const spentIn = (kind: string, name: string) =>
      `coalesce((SELECT spent FROM balances WHERE kind = '${kind}' AND name = ${name}), 0) AS ${kind}`;
    const spent = `SELECT ${spentIn("session", "?1")}, ${spentIn("day", "?2")}, ${spentIn("month", "?3")}`;
    const scopes = "('session', ?1), ('day', ?2), ('month', ?3)";
    this.insertReservation = database.prepare(
      `INSERT INTO reservations (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.endReservation = database.prepare("DELETE FROM reservations WHERE session_id = ? AND id = ? AND at = ?");
    this.takeReservation = database.prepare("DELETE FROM reservations WHERE session_id = ? AND id = ? RETURNING at");
    this.reservations = database.prepare(`SELECT ${columns} FROM reservations`);
    this.reservationsOf = database.prepare(`SELECT ${columns} FROM reservations WHERE session_id = ?`);
    this.insertCost = database.prepare(
      `INSERT INTO costs (${columns}, is_confirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.takeCost = database.prepare("DELETE FROM costs WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
    this.getSpent = database.prepare(spent);
    this.getSpentAndBooked = database.prepare(
      `${spent}, EXISTS (SELECT 1 FROM costs WHERE session_id = ?1 AND id = ?4) AS is_booked`,
    );
    this.addSpent = database.prepare(
      `INSERT INTO balances VALUES ${scopes.replaceAll(")", ", ?4)")} ON CONFLICT DO UPDATE SET spent = spent + excluded.spent`,
    );
    this.takeSpent = database.prepare(
      `UPDATE balances SET spent = spent - ?4 WHERE (kind, name) IN (VALUES ${scopes})`,
    );
    this.rowsOf = database.prepare(`SELECT * FROM (${allCostRows}) WHERE session_id = ? ORDER BY at, id`);
  }

  reserve(row: CostRow, limits: MoneyLimits): ReservationResult {
    const { sessionId, id, at } = row;
    const underWay: CostRow[] = [];
    for (const open of this.openOnes()) {
      if (isStale(open, at)) this.finish(open, false);
      else underWay.push(open);
    }
    const { session, day, month, is_booked } = this.getSpentAndBooked.get(
      sessionId,
      dayOf(at),
      monthOf(at),
      id,
    ) as Sums & { readonly is_booked: 0 | 1 }; // its four columns
    if (is_booked === 1 || underWay.some((other) => other.id === id && other.sessionId === sessionId))
      throw new Error(`Request ${id} is in the books already.`);
    const reserved = sumsOf(underWay, sessionId, at);
    const totals = { session, day, month, dayName: dayOf(at), monthName: monthOf(at) };
    const balances = {
      session: { spent: session, reserved: reserved.session },
      day: { spent: day, reserved: reserved.day },
      month: { spent: month, reserved: reserved.month },
    };
    const limit = refusingLimit(balances, row.costNanoUsd ?? 0, limits);
    if (limit !== undefined) return { ok: false, totals, limit, reserved: reserved[limit] };
    this.insertReservation.get(...valuesOf(row, at));
    return { ok: true, totals };
  }

  settle(row: CostRow): void {
    this.finish(row, true);
  }

  markUnconfirmed(sessionId: string): void {
    for (const lost of (this.reservationsOf.all(sessionId) as Row[]).map(rowOf)) this.finish(lost, false); // the columns asked for
  }

  totals(sessionId: string, at: number): CostTotals {
    const spent = this.getSpent.get(sessionId, dayOf(at), monthOf(at)) as Sums; // its three columns
    const lost = sumsOf(
      this.openOnes().filter((row) => isStale(row, at)),
      sessionId,
      at,
    );
    return {
      session: spent.session + lost.session,
      day: spent.day + lost.day,
      month: spent.month + lost.month,
      dayName: dayOf(at),
      monthName: monthOf(at),
    };
  }

  *rows(sessionId: string): Iterable<LedgerEntry> {
    for (const row of this.rowsOf.iterate(sessionId) as Iterable<Row & Pick<LedgerEntry, "state">>)
      yield { ...rowOf(row), state: row.state }; // the columns asked for
  }

  private openOnes(): readonly CostRow[] {
    return (this.reservations.all() as Row[]).map(rowOf); // the columns asked for
  }

  private finish(row: CostRow, isConfirmed: boolean): void {
    const isReserved = Number(this.endReservation.run(row.sessionId, row.id, row.at).changes) === 1; // as nearly always
    const before = isReserved ? undefined : this.take(row);
    const at = before?.at ?? row.at; // the time the request was made
    this.insertCost.get(...valuesOf(row, at), isConfirmed ? 1 : 0);
    const more = (row.costNanoUsd ?? 0) - (before?.cost_nano_usd ?? 0);
    if (more > 0) this.addSpent.get(row.sessionId, dayOf(at), monthOf(at), more);
    if (more < 0) this.takeSpent.get(row.sessionId, dayOf(at), monthOf(at), -more); // from where it was added before
  }

  /** Takes a request out of the books: when it was made, and what is spent for it by now. */
  private take({ sessionId, id }: CostRow): Taken | undefined {
    const open = this.takeReservation.get(sessionId, id) as Pick<Taken, "at"> | undefined;
    return open === undefined
      ? (this.takeCost.get(sessionId, id) as Taken | undefined)
      : { at: open.at, cost_nano_usd: 0 }; // both as asked for
  }
}

type Prepared = ReturnType<SqliteDatabase["prepare"]>;

const columns =
  "session_id, id, run_id, model, at, input, cache_read, cache_write, output, is_estimated, cost_nano_usd";

/** Every row of the books, in SQL. */
export const allCostRows: string = `SELECT ${columns}, 'reserved' AS state FROM reservations UNION ALL SELECT ${columns}, iif(is_confirmed, 'settled', 'unconfirmed') FROM costs`;

interface Taken {
  readonly at: number;
  readonly cost_nano_usd: number | null;
}

interface Row extends Taken {
  readonly session_id: string;
  readonly id: string;
  readonly run_id: string;
  readonly model: string;
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly is_estimated: number;
}

type Sums = Readonly<Record<keyof MoneyLimits, number>>;

/** What requests cost that belong to the session, to the day and to the month of a time. */
function sumsOf(rows: readonly CostRow[], sessionId: string, at: number): Sums {
  const sums = { session: 0, day: 0, month: 0 };
  for (const row of rows) {
    const cost = row.costNanoUsd ?? 0;
    if (row.sessionId === sessionId) sums.session += cost;
    if (dayOf(row.at) === dayOf(at)) sums.day += cost;
    if (monthOf(row.at) === monthOf(at)) sums.month += cost;
  }
  return sums;
}

/** Whether nobody is expected any more to say what a request did cost. */
function isStale(row: CostRow, at: number): boolean {
  return row.at < at - reservationMs;
}

function valuesOf({ sessionId, id, runId, model, usage, costNanoUsd }: CostRow, at: number): readonly SqliteValue[] {
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  return [sessionId, id, runId, model, at, input, cacheRead, cacheWrite, output, isEstimated ? 1 : 0, costNanoUsd];
}

function rowOf(row: Row): CostRow {
  const usage = {
    input: row.input,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    output: row.output,
    isEstimated: row.is_estimated === 1,
  };
  return {
    id: row.id,
    sessionId: row.session_id,
    runId: row.run_id,
    model: row.model,
    at: row.at,
    usage,
    costNanoUsd: row.cost_nano_usd,
  };
}

keepShape(createCostLedger(noDatabase));

import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import { type Balance, refusingLimit, reservationMs } from "../money.ts";
import type { BookedCost, CostRow, CostTotals, MoneyLimits, Reserved } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";

/** What may be done to the books within a transaction. */
export interface Books {
  reserve(row: CostRow, limits: MoneyLimits): Reserved;
  settle(row: CostRow): void;
  /** Books what a session has reserved as unconfirmed. */
  giveUp(sessionId: string): void;
  totals(sessionId: string, at: number): CostTotals;
  /** Of a session, oldest first. */
  rows(sessionId: string): Iterable<BookedCost>;
}

/** The books in a database: open reservations, requests that are done with, and what was spent by each session, day and month, always up to date. */
export function createBooks(database: SqliteDatabase): Books {
  const insertReservation = database.prepare(`INSERT INTO reservations (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const takeReservation = database.prepare("DELETE FROM reservations WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
  const reservations = database.prepare(`SELECT ${columns} FROM reservations`);
  const reservationsOf = database.prepare(`SELECT ${columns} FROM reservations WHERE session_id = ?`);
  const insertCost = database.prepare(`INSERT INTO costs (${columns}, is_confirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const takeCost = database.prepare("DELETE FROM costs WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
  const spentIn = (kind: string, name: string) => `coalesce((SELECT spent FROM balances WHERE kind = '${kind}' AND name = ${name}), 0) AS ${kind}`;
  const spentSql = `SELECT ${spentIn("session", "?1")}, ${spentIn("day", "?2")}, ${spentIn("month", "?3")}`;
  const getSpent = database.prepare(spentSql);
  const getSpentAndBooked = database.prepare(`${spentSql}, EXISTS (SELECT 1 FROM costs WHERE session_id = ?1 AND id = ?4) AS is_booked`);
  const scopes = "('session', ?1), ('day', ?2), ('month', ?3)";
  const addSpent = database.prepare(`INSERT INTO balances VALUES ${scopes.replaceAll(")", ", ?4)")} ON CONFLICT DO UPDATE SET spent = spent + excluded.spent`);
  const takeSpent = database.prepare(`UPDATE balances SET spent = spent - ?4 WHERE (kind, name) IN (VALUES ${scopes})`);
  const rowsOf = database.prepare(`SELECT * FROM (${everyRow}) WHERE session_id = ? ORDER BY at, id`);

  const openOnes = () => (reservations.all() as Row[]).map(rowOf); // the columns asked for
  const finish = (row: CostRow, isConfirmed: boolean) => {
    const open = takeReservation.get(row.sessionId, row.id) as Taken | undefined;
    const done = open === undefined ? (takeCost.get(row.sessionId, row.id) as Taken | undefined) : undefined; // both as asked for
    const at = (open ?? done)?.at ?? row.at; // the time the request was made
    insertCost.run(...valuesOf(row, at), isConfirmed ? 1 : 0);
    const more = (row.costNanoUsd ?? 0) - (done?.cost_nano_usd ?? 0);
    if (more > 0) addSpent.run(row.sessionId, dayOf(at), monthOf(at), more);
    if (more < 0) takeSpent.run(row.sessionId, dayOf(at), monthOf(at), -more); // from where it was added before
  };
  const totals = (sessionId: string, at: number): CostTotals => {
    const spent = getSpent.get(sessionId, dayOf(at), monthOf(at)) as Sums; // its three columns
    const lost = sumsOf(openOnes().filter(isStaleAt(at)), sessionId, at);
    return {
      session: spent.session + lost.session,
      day: spent.day + lost.day,
      month: spent.month + lost.month,
      dayName: dayOf(at),
      monthName: monthOf(at),
    };
  };

  return {
    reserve(row, limits) {
      const { sessionId, id, at } = row;
      const open = openOnes();
      const isStale = isStaleAt(at);
      for (const lost of open.filter(isStale)) finish(lost, false);
      const spent = getSpentAndBooked.get(sessionId, dayOf(at), monthOf(at), id) as Sums & { readonly is_booked: 0 | 1 }; // its four columns
      const underWay = open.filter((other) => !isStale(other));
      if (spent.is_booked === 1 || underWay.some((other) => other.id === id && other.sessionId === sessionId))
        throw new Error(`Request ${id} is in the books already.`);
      const reserved = sumsOf(underWay, sessionId, at);
      const totals = { session: spent.session, day: spent.day, month: spent.month, dayName: dayOf(at), monthName: monthOf(at) };
      const balance = (scope: keyof Sums): Balance => ({ spent: spent[scope], reserved: reserved[scope] });
      const limit = refusingLimit({ session: balance("session"), day: balance("day"), month: balance("month") }, row.costNanoUsd ?? 0, limits);
      if (limit !== undefined) return { ok: false, totals, limit, reserved: reserved[limit] };
      insertReservation.run(...valuesOf(row, at));
      return { ok: true, totals };
    },
    settle: (row) => finish(row, true),
    giveUp(sessionId) {
      for (const lost of (reservationsOf.all(sessionId) as Row[]).map(rowOf)) finish(lost, false); // the columns asked for
    },
    totals,
    *rows(sessionId) {
      for (const row of rowsOf.iterate(sessionId) as Iterable<Row & Pick<BookedCost, "state">>) yield { ...rowOf(row), state: row.state }; // the columns asked for
    },
  };
}

const columns = "session_id, id, run_id, model, at, input, cache_read, cache_write, output, is_estimated, cost_nano_usd";

/** Every row of the books, in SQL. */
export const everyRow: string = `SELECT ${columns}, 'reserved' AS state FROM reservations UNION ALL SELECT ${columns}, iif(is_confirmed, 'settled', 'unconfirmed') FROM costs`;

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
  const sum = (belongs: (row: CostRow) => boolean) => rows.reduce((total, row) => total + (belongs(row) ? (row.costNanoUsd ?? 0) : 0), 0);
  const [day, month] = [dayOf(at), monthOf(at)];
  return { session: sum((row) => row.sessionId === sessionId), day: sum((row) => dayOf(row.at) === day), month: sum((row) => monthOf(row.at) === month) };
}

/** Whether nobody is expected any more to say what a request did cost. */
function isStaleAt(at: number): (row: CostRow) => boolean {
  return (row) => row.at < at - reservationMs;
}

function valuesOf({ sessionId, id, runId, model, usage, costNanoUsd }: CostRow, at: number): readonly SqliteValue[] {
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  return [sessionId, id, runId, model, at, input, cacheRead, cacheWrite, output, isEstimated ? 1 : 0, costNanoUsd];
}

function rowOf(row: Row): CostRow {
  const usage = { input: row.input, cacheRead: row.cache_read, cacheWrite: row.cache_write, output: row.output, isEstimated: row.is_estimated === 1 };
  return { id: row.id, sessionId: row.session_id, runId: row.run_id, model: row.model, at: row.at, usage, costNanoUsd: row.cost_nano_usd };
}

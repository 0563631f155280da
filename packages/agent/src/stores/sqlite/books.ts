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
  /** Of one session, or of all. */
  rows(sessionId?: string): Iterable<BookedCost>;
}

/** The books in a database: open reservations, requests that are done with, and the balance of each session, day and month, always up to date. */
export function createBooks(database: SqliteDatabase): Books {
  const insertReservation = database.prepare(`INSERT INTO reservations (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const takeReservation = database.prepare("DELETE FROM reservations WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
  const reservationsBefore = database.prepare(`SELECT ${columns} FROM reservations WHERE at < ?`);
  const reservationsOf = database.prepare(`SELECT ${columns} FROM reservations WHERE session_id = ?`);
  const known = database.prepare(
    "SELECT 1 FROM reservations WHERE session_id = ?1 AND id = ?2 UNION ALL SELECT 1 FROM costs WHERE session_id = ?1 AND id = ?2",
  );
  const insertCost = database.prepare(`INSERT INTO costs (${columns}, is_confirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const takeCost = database.prepare("DELETE FROM costs WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
  const getBalance = database.prepare("SELECT spent, reserved FROM balances WHERE kind = ? AND name = ?");
  const addBalance = database.prepare(
    "INSERT INTO balances VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET spent = spent + excluded.spent, reserved = reserved + excluded.reserved",
  );
  const moveBalance = database.prepare("UPDATE balances SET spent = spent + ?3, reserved = reserved + ?4 WHERE kind = ?1 AND name = ?2");
  const all = `SELECT ${columns}, 'reserved' AS state FROM reservations UNION ALL SELECT ${columns}, iif(is_confirmed, 'settled', 'unconfirmed') FROM costs`;
  const everyRow = database.prepare(all);
  const rowsOf = database.prepare(`SELECT * FROM (${all}) WHERE session_id = ? ORDER BY at, id`);

  const balanceOf = (kind: string, name: string) => (getBalance.get(kind, name) ?? { spent: 0, reserved: 0 }) as Balance; // its two columns
  const balances = (sessionId: string, at: number) => {
    const [session, day, month] = scopesOf(sessionId, at);
    return { session: balanceOf(...session), day: balanceOf(...day), month: balanceOf(...month) };
  };
  /** A part is taken away from a balance only where it was added before. */
  const change = (sessionId: string, at: number, { spent, reserved }: Balance) => {
    if (spent === 0 && reserved === 0) return;
    const statement = spent < 0 || reserved < 0 ? moveBalance : addBalance;
    for (const scope of scopesOf(sessionId, at)) statement.run(...scope, spent, reserved);
  };
  const finish = (row: CostRow, isConfirmed: boolean) => {
    const open = takeReservation.get(row.sessionId, row.id) as Taken | undefined;
    const done = open === undefined ? (takeCost.get(row.sessionId, row.id) as Taken | undefined) : undefined; // both as asked for
    const at = (open ?? done)?.at ?? row.at; // the time the request was made
    insertCost.run(...valuesOf(row, at), isConfirmed ? 1 : 0);
    change(row.sessionId, at, { spent: (row.costNanoUsd ?? 0) - (done?.cost_nano_usd ?? 0), reserved: -(open?.cost_nano_usd ?? 0) });
  };
  const staleAt = (at: number) => (reservationsBefore.all(at - reservationMs) as Row[]).map(rowOf); // the columns asked for
  const totals = (sessionId: string, at: number): CostTotals => {
    const { session, day, month } = balances(sessionId, at);
    const [dayName, monthName] = [dayOf(at), monthOf(at)];
    const stale = staleAt(at);
    const lost = (belongs: (row: CostRow) => boolean) => stale.reduce((sum, row) => sum + (belongs(row) ? (row.costNanoUsd ?? 0) : 0), 0);
    return {
      session: session.spent + lost((row) => row.sessionId === sessionId),
      day: day.spent + lost((row) => dayOf(row.at) === dayName),
      month: month.spent + lost((row) => monthOf(row.at) === monthName),
      dayName,
      monthName,
    };
  };

  return {
    reserve(row, limits) {
      if (known.get(row.sessionId, row.id) !== undefined) throw new Error(`Request ${row.id} is in the books already.`);
      for (const lost of staleAt(row.at)) finish(lost, false);
      const now = balances(row.sessionId, row.at);
      const spent = { session: now.session.spent, day: now.day.spent, month: now.month.spent, dayName: dayOf(row.at), monthName: monthOf(row.at) };
      const limit = refusingLimit(now, row.costNanoUsd ?? 0, limits);
      if (limit !== undefined) return { ok: false, totals: spent, limit, reserved: now[limit].reserved };
      insertReservation.run(...valuesOf(row, row.at));
      change(row.sessionId, row.at, { spent: 0, reserved: row.costNanoUsd ?? 0 });
      return { ok: true, totals: spent };
    },
    settle: (row) => finish(row, true),
    giveUp(sessionId) {
      for (const lost of (reservationsOf.all(sessionId) as Row[]).map(rowOf)) finish(lost, false); // the columns asked for
    },
    totals,
    *rows(sessionId) {
      const found = sessionId === undefined ? everyRow.iterate() : rowsOf.iterate(sessionId);
      for (const row of found as Iterable<Row & Pick<BookedCost, "state">>) yield { ...rowOf(row), state: row.state }; // the columns asked for
    },
  };
}

const columns = "session_id, id, run_id, model, at, input, cache_read, cache_write, output, is_estimated, cost_nano_usd";

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

function scopesOf(sessionId: string, at: number): readonly [Scope, Scope, Scope] {
  return [
    ["session", sessionId],
    ["day", dayOf(at)],
    ["month", monthOf(at)],
  ];
}

type Scope = readonly [kind: string, name: string];

function valuesOf({ sessionId, id, runId, model, usage, costNanoUsd }: CostRow, at: number): readonly SqliteValue[] {
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  return [sessionId, id, runId, model, at, input, cacheRead, cacheWrite, output, isEstimated ? 1 : 0, costNanoUsd];
}

function rowOf(row: Row): CostRow {
  const usage = { input: row.input, cacheRead: row.cache_read, cacheWrite: row.cache_write, output: row.output, isEstimated: row.is_estimated === 1 };
  return { id: row.id, sessionId: row.session_id, runId: row.run_id, model: row.model, at: row.at, usage, costNanoUsd: row.cost_nano_usd };
}

import type { SqliteDatabase, SqliteValue } from "@sheepdog/records";
import { parseJson } from "../../protocol/json.ts";
import type { RequestPurpose } from "../../protocol/request-purpose.ts";
import { isGone } from "../holder.ts";
import { byTime, checkCost, isLost, refusingLimit, unconfirmedRow } from "../money-limits.ts";
import type {
  CostCorrection,
  CostRow,
  CostStore,
  CostTotals,
  Holder,
  LedgerEntry,
  MoneyLimits,
  PossibleUse,
  ReservationResult,
} from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { rowKeysPerSession } from "./row-key.ts";

/** Operations on the cost ledger. Each runs within a transaction of its caller. */
export interface CostLedger {
  reserve(row: CostRow & { readonly possible?: PossibleUse }, limits: MoneyLimits): ReservationResult;
  settle(row: CostRow): void;
  /** Marks the reservations of a session as unconfirmed. */
  markUnconfirmed(sessionId: string): void;
  recordPossibleUse(request: RequestRef, possible: PossibleUse): void;
  /** The requests without a known cost, oldest first: reserved, or unconfirmed since nothing has settled them yet. */
  open(at?: number): readonly LedgerEntry[];
  /** Unconfirmed and corrected rows of all sessions, oldest first. */
  unconfirmed(at?: number): readonly LedgerEntry[];
  settleUnconfirmed(request: RequestRef, correction: Parameters<CostStore["settleUnconfirmed"]>[1]): boolean;
  totals(sessionId: string, at: number): CostTotals;
  /** The rows of a session, oldest first. */
  rows(sessionId: string): readonly LedgerEntry[];
}

type RequestRef = Pick<CostRow, "sessionId" | "id">;

/**
 * Prepares the statements of the cost ledger: pending reservations, finished requests, and balances per session, day
 * and month, which every change updates.
 */
export function createCostLedger(database: SqliteDatabase): CostLedger {
  const spentIn = (kind: string, name: string) =>
    `coalesce((SELECT spent FROM balances WHERE kind = '${kind}' AND name = ${name}), 0) AS ${kind}`;
  const getSpent = database.prepare(
    `SELECT ${spentIn("session", "?1")}, ${spentIn("day", "?2")}, ${spentIn("month", "?3")}`,
  );
  const addSpent = database.prepare(
    `INSERT INTO balances VALUES ('session', ?1, ?4), ('day', ?2, ?4), ('month', ?3, ?4)
     ON CONFLICT DO UPDATE SET spent = spent + excluded.spent`,
  );
  const subtractSpent = database.prepare(
    `UPDATE balances SET spent = spent - ?4
     WHERE (kind, name) IN (VALUES ('session', ?1), ('day', ?2), ('month', ?3))`,
  );
  const insertReservation = database.prepare(
    `INSERT INTO reservations (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const deleteReservation = database.prepare("DELETE FROM reservations WHERE session_id = ? AND id = ? RETURNING at");
  // The session that pays, and that of the run, which a process may have claimed without the other.
  const getReservations = database.prepare(
    `SELECT ${columns}, possible, (
       SELECT json_group_array(holder) FROM sessions
       WHERE holder IS NOT NULL AND (id = reservations.session_id
         OR key IN (SELECT row_key / ${rowKeysPerSession} FROM runs WHERE runs.run_id = reservations.run_id))
     ) AS holders FROM reservations ORDER BY at, id`,
  );
  const setPossible = database.prepare("UPDATE reservations SET possible = ? WHERE session_id = ? AND id = ?");
  const setCorrection = database.prepare("UPDATE costs SET correction = ? WHERE session_id = ? AND id = ?");
  const getUnconfirmed = database.prepare(
    `SELECT ${columns}, iif(is_confirmed, 'settled', 'unconfirmed') AS state, correction FROM costs
     WHERE is_confirmed = 0 OR correction IS NOT NULL ORDER BY at, id`,
  );
  const insertCost = database.prepare(
    `INSERT INTO costs (${columns}, is_confirmed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const hasCost = database.prepare("SELECT 1 FROM costs WHERE session_id = ? AND id = ?");
  const deleteCost = database.prepare("DELETE FROM costs WHERE session_id = ? AND id = ? RETURNING at, cost_nano_usd");
  const getRows = database.prepare(`SELECT * FROM (${finishedCostRows}) WHERE session_id = ?`);

  const reservations = () => (getReservations.all() as ReservationValues[]).map(reservationOf); // the selected columns
  const open = (at?: number) =>
    reservations().map((reservation): LedgerEntry => {
      const { row, possible } = reservation;
      if (!isLost(reservation, at)) return { ...row, state: "reserved" };
      return { ...unconfirmedRow(row, possible), state: "unconfirmed" };
    });
  const spentAt = (sessionId: string, at: number) => getSpent.get(sessionId, dayOf(at), monthOf(at)) as Amounts;

  /** Removes the earlier row of a request; returns its time and the amount that balances include for it. */
  const removeEarlierRow = ({ sessionId, id }: CostRow): EarlierRow | undefined => {
    const reservation = deleteReservation.get(sessionId, id) as Pick<EarlierRow, "at"> | undefined;
    if (reservation !== undefined) return { at: reservation.at, cost_nano_usd: 0 };
    return deleteCost.get(sessionId, id) as EarlierRow | undefined; // the returned columns
  };

  /** Records a finished request in place of its reservation, or of an earlier row with its id. */
  const finish = (row: CostRow, isConfirmed: boolean) => {
    const earlier = removeEarlierRow(row);
    const at = earlier?.at ?? row.at; // the day and month of the reservation pay for the request
    insertCost.run(...valuesOf(row, at), isConfirmed ? 1 : 0);
    const difference = (row.costNanoUsd ?? 0) - (earlier?.cost_nano_usd ?? 0);
    if (difference > 0) addSpent.run(row.sessionId, dayOf(at), monthOf(at), difference);
    if (difference < 0) subtractSpent.run(row.sessionId, dayOf(at), monthOf(at), -difference);
  };

  const unconfirmed = (at?: number) => {
    const marked = (getUnconfirmed.all() as UnconfirmedValues[]).map(unconfirmedOf); // the selected columns
    return [...marked, ...open(at).filter(({ state }) => state === "unconfirmed")].sort(byTime);
  };

  return {
    reserve(row, limits) {
      const { sessionId, id, at } = row;
      const pending: CostRow[] = [];
      for (const entry of open(at)) {
        if (entry.state === "reserved") pending.push(entry);
        else finish(entry, false);
      }
      const isRecorded =
        pending.some((other) => other.id === id && other.sessionId === sessionId) ||
        hasCost.get(sessionId, id) !== undefined;
      if (isRecorded) throw new Error(`Request ${id} is in the ledger already.`);
      const spent = spentAt(sessionId, at);
      const reserved = amountsOf(pending, sessionId, at);
      const totals = { ...spent, dayName: dayOf(at), monthName: monthOf(at) };
      const balances = {
        session: { spent: spent.session, reserved: reserved.session },
        day: { spent: spent.day, reserved: reserved.day },
        month: { spent: spent.month, reserved: reserved.month },
      };
      const limit = refusingLimit(balances, row.costNanoUsd ?? 0, limits);
      if (limit !== undefined) return { ok: false, totals, limit, reserved: reserved[limit] };
      insertReservation.run(...valuesOf(row, at));
      if (row.possible !== undefined) setPossible.run(JSON.stringify(row.possible), sessionId, id);
      return { ok: true, totals };
    },
    settle: (row) => finish(row, true),
    markUnconfirmed(sessionId) {
      for (const { row, possible } of reservations())
        if (row.sessionId === sessionId) finish(unconfirmedRow(row, possible), false);
    },
    recordPossibleUse({ sessionId, id }, possible) {
      setPossible.run(JSON.stringify(possible), sessionId, id);
    },
    open,
    unconfirmed,
    settleUnconfirmed({ sessionId, id }, { costNanoUsd, by, at }) {
      const row = unconfirmed(at).find((each) => each.sessionId === sessionId && each.id === id);
      if (row?.state !== "unconfirmed") return false;
      const settled = { ...row, costNanoUsd };
      checkCost(settled);
      finish(settled, true);
      const correction: CostCorrection = { by, at, fromNanoUsd: row.costNanoUsd };
      setCorrection.run(JSON.stringify(correction), sessionId, id);
      return true;
    },
    totals(sessionId, at) {
      const spent = spentAt(sessionId, at);
      const lost = amountsOf(
        open(at).filter(({ state }) => state === "unconfirmed"),
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
    },
    rows(sessionId) {
      const rows = getRows.all(sessionId) as (ColumnValues & Pick<LedgerEntry, "state">)[]; // the selected columns
      const finished = rows.map((row): LedgerEntry => ({ ...rowOf(row), state: row.state }));
      return [...finished, ...open().filter((row) => row.sessionId === sessionId)].sort(byTime);
    },
  };
}

const columns =
  "session_id, id, run_id, model, at, input, cache_read, cache_write, output, is_estimated, cost_nano_usd, purpose";

/** SQL that selects every finished row of the ledger with its state. */
export const finishedCostRows: string = `SELECT ${columns},
  iif(is_confirmed, 'settled', 'unconfirmed') AS state FROM costs`;

interface EarlierRow {
  readonly at: number;
  readonly cost_nano_usd: number | null;
}

interface ColumnValues {
  readonly session_id: string;
  readonly id: string;
  readonly run_id: string;
  readonly model: string;
  readonly at: number;
  readonly input: number;
  readonly cache_read: number;
  readonly cache_write: number;
  readonly output: number;
  readonly is_estimated: number;
  readonly cost_nano_usd: number | null;
  readonly purpose: RequestPurpose;
}

interface ReservationValues extends ColumnValues {
  readonly possible: string | null;
  /** Of the sessions that it belongs to, as JSON in JSON. */
  readonly holders: string;
}

function reservationOf(row: ReservationValues) {
  const holders = (JSON.parse(row.holders) as string[]).map((holder) => parseJson(holder) as Holder | undefined);
  return {
    row: rowOf(row),
    possible: readPossible(row.possible),
    hasEnded: holders.length > 0 && holders.every((holder) => holder !== undefined && isGone(holder)),
  };
}

interface UnconfirmedValues extends ColumnValues {
  readonly state: LedgerEntry["state"];
  readonly correction: string | null;
}

function unconfirmedOf(row: UnconfirmedValues): LedgerEntry {
  const correction = parseJson(row.correction ?? "") as CostCorrection | undefined; // written by this store
  return { ...rowOf(row), state: row.state, ...(correction === undefined ? {} : { correction }) };
}

/** Undefined if nothing was recorded, or something else than amounts. */
function readPossible(text: string | null): PossibleUse | undefined {
  const possible = parseJson(text ?? "") as Partial<PossibleUse> | null | undefined;
  const { output, costNanoUsd } = possible ?? {};
  if (!isAmount(output) || !isAmount(costNanoUsd)) return undefined;
  return { output, costNanoUsd };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

type Amounts = Readonly<Record<keyof MoneyLimits, number>>;

/** What rows cost that belong to a session, and to the day and the month of a time. */
function amountsOf(rows: readonly CostRow[], sessionId: string, at: number): Amounts {
  const sum = (isCounted: (row: CostRow) => boolean) =>
    rows.filter(isCounted).reduce((total, { costNanoUsd }) => total + (costNanoUsd ?? 0), 0);
  return {
    session: sum((row) => row.sessionId === sessionId),
    day: sum((row) => dayOf(row.at) === dayOf(at)),
    month: sum((row) => monthOf(row.at) === monthOf(at)),
  };
}

function valuesOf(row: CostRow, at: number): readonly SqliteValue[] {
  const { sessionId, id, runId, model, usage, costNanoUsd, purpose = "turn" } = row;
  const { input, cacheRead, cacheWrite, output, isEstimated } = usage;
  const tokens = [input, cacheRead, cacheWrite, output];
  return [sessionId, id, runId, model, at, ...tokens, isEstimated ? 1 : 0, costNanoUsd, purpose];
}

function rowOf(row: ColumnValues): CostRow {
  return {
    id: row.id,
    sessionId: row.session_id,
    runId: row.run_id,
    model: row.model,
    at: row.at,
    usage: {
      input: row.input,
      cacheRead: row.cache_read,
      cacheWrite: row.cache_write,
      output: row.output,
      isEstimated: row.is_estimated === 1,
    },
    costNanoUsd: row.cost_nano_usd,
    ...(row.purpose === "turn" ? {} : { purpose: row.purpose }),
  };
}

import { keepShape } from "../../async/keep-shape.ts";
import { checkCost } from "../money-limits.ts";
import type { CostRow, CostStore, MoneyLimits, ReservationResult } from "../stores.ts";
import { type CostLedger, createCostLedger } from "./cost-ledger.ts";
import { queryCostSums } from "./cost-sums.ts";
import { noDatabase } from "./no-database.ts";
import type { Sqlite } from "./open-sqlite.ts";

/** The books of a database. */
export function sqliteCosts({ light }: Sqlite): CostStore {
  const books = createCostLedger(light.database);
  const reservations = new Reservations(light, books);
  return {
    reserve: reservations.make.bind(reservations),
    totals: (sessionId, at) => light.read(() => books.totals(sessionId, at)),
    sums: (by, of) => light.read(() => queryCostSums(light.database, by, of)),
    rows: (sessionId) => light.read(() => [...books.rows(sessionId)]),
  };
}

class Reservations {
  private readonly light: Sqlite["light"];
  private readonly books: CostLedger;

  constructor(light: Sqlite["light"], books: CostLedger) {
    this.light = light;
    this.books = books;
  }

  async make(row: CostRow, limits: MoneyLimits): Promise<ReservationResult> {
    checkCost(row);
    return this.light.write(() => this.books.reserve(row, limits));
  }
}

keepShape(new Reservations({} as Sqlite["light"], createCostLedger(noDatabase))); // of no connection

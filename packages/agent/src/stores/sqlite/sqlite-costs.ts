import { keepShape } from "../../async/keep-shape.ts";
import { checkCost } from "../money.ts";
import type { CostRow, CostStore, MoneyLimits, ReservationResult } from "../stores.ts";
import { type Books, createBooks } from "./books.ts";
import { noDatabase } from "./no-database.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { sumCosts } from "./sum-costs.ts";

/** The books of a database. */
export function sqliteCosts({ light }: Sqlite): CostStore {
  const books = createBooks(light.database);
  const reservations = new Reservations(light, books);
  return {
    reserve: reservations.make.bind(reservations),
    totals: (sessionId, at) => light.read(() => books.totals(sessionId, at)),
    sums: (by, of) => light.read(() => sumCosts(light.database, by, of)),
    rows: (sessionId) => light.read(() => [...books.rows(sessionId)]),
  };
}

class Reservations {
  private readonly light: Sqlite["light"];
  private readonly books: Books;

  constructor(light: Sqlite["light"], books: Books) {
    this.light = light;
    this.books = books;
  }

  async make(row: CostRow, limits: MoneyLimits): Promise<ReservationResult> {
    checkCost(row);
    return this.light.write(() => this.books.reserve(row, limits));
  }
}

keepShape(new Reservations({} as Sqlite["light"], createBooks(noDatabase))); // of no connection

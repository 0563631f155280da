import { checkCost } from "../money.ts";
import type { CostStore } from "../stores.ts";
import { sumRows } from "../sum-rows.ts";
import { createBooks } from "./books.ts";
import type { Sqlite } from "./open-sqlite.ts";

/** The books of a database. */
export function sqliteCosts({ light }: Sqlite): CostStore {
  const books = createBooks(light.database);
  return {
    async reserve(row, limits) {
      checkCost(row);
      return light.write(() => books.reserve(row, limits));
    },
    totals: (sessionId, at) => light.read(() => books.totals(sessionId, at)),
    sums: (by, of = {}) => light.read(() => sumRows(books.rows(of.sessionId), by, of)),
    rows: (sessionId) => light.read(() => [...books.rows(sessionId)]),
  };
}

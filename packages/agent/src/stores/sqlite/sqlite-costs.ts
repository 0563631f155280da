import { checkCost } from "../money.ts";
import type { CostStore } from "../stores.ts";
import { createBooks } from "./books.ts";
import type { Sqlite } from "./open-sqlite.ts";
import { sumCosts } from "./sum-costs.ts";

/** The books of a database. */
export function sqliteCosts({ light }: Sqlite): CostStore {
  const books = createBooks(light.database);
  return {
    async reserve(row, limits) {
      checkCost(row);
      return light.write(() => books.reserve(row, limits));
    },
    totals: (sessionId, at) => light.read(() => books.totals(sessionId, at)),
    sums: (by, of) => light.read(() => sumCosts(light.database, by, of)),
    rows: (sessionId) => light.read(() => [...books.rows(sessionId)]),
  };
}

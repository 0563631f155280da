import { checkCost } from "../money-limits.ts";
import type { CostStore } from "../stores.ts";
import { createCostLedger } from "./cost-ledger.ts";
import { queryCostSums } from "./cost-sums.ts";
import type { Sqlite } from "./open-sqlite.ts";

/** The cost ledger of a database. */
export function sqliteCosts({ safe, light }: Sqlite): CostStore {
  const ledger = createCostLedger(light.database);
  return {
    async reserve(row, limits) {
      checkCost(row);
      return light.write(() => ledger.reserve(row, limits));
    },
    recordPossibleUse: (request, possible) => light.write(() => ledger.recordPossibleUse(request, possible)),
    reserved: (at) => light.read(() => ledger.open(at).filter(({ state }) => state === "reserved")),
    unconfirmed: (at) => light.read(() => ledger.unconfirmed(at)),
    // Durable: it is a decision of the user.
    settleUnconfirmed: (request, correction) => safe.write(() => ledger.settleUnconfirmed(request, correction)),
    totals: (sessionId, at) => light.read(() => ledger.totals(sessionId, at)),
    sums: (by, of) => light.read(() => queryCostSums(light.database, ledger.open(of?.at), by, of)),
    rows: (sessionId) => light.read(() => ledger.rows(sessionId)),
  };
}

import { describe } from "vitest";
import type { Stores } from "../src/stores/stores.ts";
import { auditContract } from "./stores-contract/audit.ts";
import { commitContract } from "./stores-contract/commit.ts";
import { costsContract } from "./stores-contract/costs.ts";
import { eventsContract } from "./stores-contract/events.ts";
import { factsContract } from "./stores-contract/facts.ts";
import { leaseContract } from "./stores-contract/lease.ts";
import { ledgerContract } from "./stores-contract/ledger.ts";
import { lessonsContract } from "./stores-contract/lessons.ts";
import { sessionsContract } from "./stores-contract/sessions.ts";

/** Empty stores for one test. */
export interface OpenedStores {
  readonly stores: Stores;
  close(): Promise<void>;
}

/** The tests that every implementation of the `Stores` port has to pass. */
export function storesContract(name: string, open: () => Promise<OpenedStores>): void {
  describe(`${name} stores`, () => {
    for (const contract of [
      sessionsContract,
      commitContract,
      leaseContract,
      costsContract,
      ledgerContract,
      eventsContract,
      factsContract,
      auditContract,
      lessonsContract,
    ])
      contract(open);
  });
}

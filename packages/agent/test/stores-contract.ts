import { describe } from "vitest";
import type { Stores } from "../src/stores/stores.ts";
import { commitContract } from "./stores-contract/commit.ts";
import { costsContract } from "./stores-contract/costs.ts";
import { eventsContract } from "./stores-contract/events.ts";
import { factsContract } from "./stores-contract/facts.ts";
import { leaseContract } from "./stores-contract/lease.ts";
import { ledgerContract } from "./stores-contract/ledger.ts";
import { sessionsContract } from "./stores-contract/sessions.ts";

/** What the suite works on: fresh, empty stores. */
export interface OpenedStores {
  readonly stores: Stores;
  close(): Promise<void>;
}

/** What every implementation of the stores has to keep, as tests. */
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
    ])
      contract(open);
  });
}

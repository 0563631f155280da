import type { RuntimeOptions, Stores } from "@sheepdog/agent";
import { createPrices } from "@sheepdog/records";

/** Whose list price the demo goes by. */
export const pricedAs = "claude-sonnet-4-5";

/** What the requests of the demo would cost if that model had answered them. */
export async function demoPrice(): Promise<NonNullable<RuntimeOptions["price"]>> {
  const prices = await createPrices();
  return (_, usage) => prices.price({ provider: "anthropic", model: pricedAs, at: Date.now(), usage });
}

/** The same stores, but nothing is charged to the books: nobody is billed for a demo, so it must not use up a day's or a month's budget. */
export function unbilledStores(stores: Stores): Stores {
  const free = <Row extends { readonly costNanoUsd: number | null }>(row: Row): Row => ({ ...row, costNanoUsd: 0 });
  return {
    ...stores,
    costs: { ...stores.costs, reserve: (row, limits) => stores.costs.reserve(free(row), limits) },
    sessions: {
      ...stores.sessions,
      commit: (lease, commit) =>
        stores.sessions.commit(
          lease,
          commit.costs === undefined ? commit : { ...commit, costs: commit.costs.map(free) },
        ),
    },
  };
}

import type { Stores } from "@sheepdog/agent";

/** The same stores with all costs recorded as 0: a demo must not use up the budget of a day or a month. */
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

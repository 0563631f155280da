import type { Stores } from "@sheepdog/agent";
import type { Step } from "./step.ts";

/** Stores with a step before and after every operation, or when it fails. `onReserved` receives request ids. */
export function steppedStores(stores: Stores, step: Step, onReserved: (id: string) => void = () => undefined): Stores {
  const { sessions, costs } = stores;
  const stepped =
    <A extends readonly unknown[], R>(name: string, operation: (...parameters: A) => Promise<R>) =>
    async (...parameters: A): Promise<R> => {
      step(`${name}: before`);
      try {
        const result = await operation(...parameters);
        step(`${name}: after`);
        return result;
      } catch (error) {
        step(`${name}: failed`);
        throw error;
      }
    };
  return {
    ...stores,
    sessions: {
      ...sessions,
      load: stepped("load", sessions.load),
      claim: stepped("claim", sessions.claim),
      renew: stepped("renew", sessions.renew),
      release: stepped("release", sessions.release),
      commit: stepped("commit", sessions.commit),
    },
    costs: {
      ...costs,
      totals: stepped("totals", costs.totals),
      reserve: stepped("reserve", async (row, limits) => {
        const reserved = await costs.reserve(row, limits);
        if (reserved.ok) onReserved(row.id);
        return reserved;
      }),
    },
  };
}

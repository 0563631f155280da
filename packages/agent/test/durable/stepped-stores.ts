import type { Stores } from "@sheepdog/agent";
import type { Step } from "./step.ts";

/** Stores with a step before everything they are asked for, and after it or when it failed. `onReserved` is told the id of each request in the books. */
export function steppedStores(stores: Stores, step: Step, onReserved: (id: string) => void = () => undefined): Stores {
  const { sessions, costs } = stores;
  const stepped =
    <A extends readonly unknown[], R>(name: string, ask: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      step(`${name}: before`);
      try {
        const answer = await ask(...asked);
        step(`${name}: after`);
        return answer;
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

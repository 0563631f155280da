import type { Clock } from "../protocol/clock.ts";
import type { Stores } from "./stores.ts";

/** Longer than a store waits for the lock of another process. */
const STORE_WAIT_MS = 180_000;

/** A lease ends by itself, so its release is not waited for long. */
const RELEASE_WAIT_MS = 10_000;

/**
 * The stores of one run, with a time limit for every answer: a store that never answers must not keep the run from
 * ending. After one missed answer all later calls fail at once, since it is not known what was written. A call that
 * throws becomes a rejection.
 */
export function boundedStores(stores: Stores, clock: Pick<Clock, "after">): Stores {
  let failure: Error | undefined;

  async function answerOf<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
    if (failure !== undefined) throw failure;
    const waitMs = name === "release" ? RELEASE_WAIT_MS : STORE_WAIT_MS;
    let stopTimer = () => {};
    const tooLate = new Promise<never>((_, reject) => {
      stopTimer = clock.after(waitMs, () => {
        failure ??= new Error(`The store did not answer ${name} within ${waitMs / 1_000} seconds.`);
        reject(failure);
      });
    });
    try {
      return await Promise.race([call(), tooLate]);
    } finally {
      stopTimer();
    }
  }

  const bounded = <Store extends object>(store: Store): Store =>
    new Proxy({} as Store, {
      get(_target, name) {
        const method: unknown = Reflect.get(store, name);
        return typeof method === "function"
          ? (...args: readonly unknown[]) => answerOf(String(name), async () => method.apply(store, args))
          : method;
      },
    });

  return {
    // A run does not wait for these: tools have a time limit of their own.
    events: stores.events,
    memory: stores.memory,
    audit: bounded(stores.audit),
    close: () => stores.close(),
    sessions: bounded(stores.sessions),
    costs: bounded(stores.costs),
    lessons: bounded(stores.lessons),
  };
}

import type { Approval, Lease, RuntimeOptions, Stores } from "@sheepdog/agent";

/** The stores as a process has them that may end at any moment. */
export interface CrashingStores {
  readonly stores: Stores;
  /** From now on nothing it writes arrives and nobody answers it; what it held is free for others. */
  crash(): Promise<void>;
}

/** Lets a process end without one: the stores it wrote to go on. */
export function crashingStores({ sessions, costs, ...rest }: Stores): CrashingStores {
  const leases: Lease[] = [];
  let isDead = false;
  const alive = untilDeath(() => isDead);
  const claim: Stores["sessions"]["claim"] = async (sessionId, holder, at) => {
    const claimed = await sessions.claim(sessionId, holder, at);
    if (claimed.ok) leases.push(claimed.lease);
    return claimed;
  };
  return {
    stores: { ...rest, sessions: alive({ ...sessions, claim }), costs: alive(costs) },
    async crash() {
      isDead = true;
      for (const lease of leases) await sessions.release(lease);
    },
  };
}

function untilDeath(isDead: () => boolean): <Port extends object>(port: Port) => Port {
  return (port) =>
    new Proxy(port, {
      get(target, name, receiver) {
        const act: unknown = Reflect.get(target, name, receiver);
        return typeof act === "function"
          ? (...given: readonly unknown[]) => (isDead() ? never() : act.apply(target, given))
          : act;
      },
    });
}

/** A promise that nobody keeps. */
export function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** Asks about every call. */
export const askingGate: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }),
};

/** A person who is asked and never answers; `asked` resolves with the first question. */
export function silentUser(): { readonly asked: Promise<void>; readonly approve: () => Promise<Approval> } {
  let tell = () => {};
  const asked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    asked,
    approve() {
      tell();
      return never();
    },
  };
}

import type { Approval, Lease, RuntimeOptions, Stores } from "@sheepdog/agent";

/** The stores as seen by one process, which the test can crash. */
export interface CrashingStores {
  readonly stores: Stores;
  /** Simulates the death of the process: its later calls never return and write nothing, and its leases are free. */
  crash(): Promise<void>;
}

/** Wraps stores for one simulated process. The wrapped stores stay usable after the crash. */
export function crashingStores({ sessions, costs, ...rest }: Stores): CrashingStores {
  const leases: Lease[] = [];
  let hasCrashed = false;
  const untilCrash = hangingOnce(() => hasCrashed);
  const claim: Stores["sessions"]["claim"] = async (sessionId, holder, at) => {
    const claimed = await sessions.claim(sessionId, holder, at);
    if (claimed.ok) leases.push(claimed.lease);
    return claimed;
  };
  return {
    stores: { ...rest, sessions: untilCrash({ ...sessions, claim }), costs: untilCrash(costs) },
    async crash() {
      hasCrashed = true;
      for (const lease of leases) await sessions.release(lease);
    },
  };
}

/** Returns a wrapper whose methods never return once `hasCrashed` is true. */
function hangingOnce(hasCrashed: () => boolean): <Port extends object>(port: Port) => Port {
  return (port) =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        return typeof member === "function"
          ? (...args: readonly unknown[]) => (hasCrashed() ? never() : member.apply(target, args))
          : member;
      },
    });
}

/** A promise that never settles. */
export function never<T>(): Promise<T> {
  return new Promise(() => {});
}

/** Asks for approval of every call. */
export const askingGate: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }),
};

/** A user who never answers; `asked` resolves at the first question. */
export function silentUser(): { readonly asked: Promise<void>; readonly approve: () => Promise<Approval> } {
  let onAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  return {
    asked,
    approve() {
      onAsked();
      return never();
    },
  };
}

import type { Ask, RuntimeOptions } from "@sheepdog/agent";

type Approve = NonNullable<RuntimeOptions["approve"]>;

/** The same, but a question that nobody answers in time is a no. 0: it waits. */
export function approveWithTimeout(approve: Approve, secs: number): Approve {
  if (secs === 0) return approve;
  return (call, reason, signal) =>
    within(secs, signal, (patience) => approve(call, reason, patience), {
      isAllowed: false,
      reason: `nobody answered within ${secs} s`,
    });
}

/** The same for questions of the agent: there is no answer then. */
export function askWithTimeout(ask: Ask, secs: number): Ask {
  if (secs === 0) return ask;
  return (question, signal) => within(secs, signal, (patience) => ask(question, patience), undefined);
}

async function within<T>(
  secs: number,
  signal: AbortSignal,
  ask: (patience: AbortSignal) => Promise<T>,
  instead: T,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(secs * 1_000, 2_147_483_647));
  const tooLate = new Promise<T>((resolve) => late.signal.addEventListener("abort", () => resolve(instead)));
  try {
    return await Promise.race([ask(AbortSignal.any([signal, late.signal])), tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

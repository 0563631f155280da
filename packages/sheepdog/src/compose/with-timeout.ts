import type { Ask, AskAboutRun, RuntimeOptions } from "@sheepdog/agent";

type Approve = NonNullable<RuntimeOptions["approve"]>;

/** Denies a call if the user does not answer in time. 0 seconds: waits without limit. */
export function approveWithTimeout(approve: Approve, secs: number): Approve {
  if (secs === 0) return approve;
  return (call, reason, signal, suggestion) =>
    withTimeout((timeoutSignal) => approve(call, reason, timeoutSignal, suggestion), {
      secs,
      signal,
      fallback: { isAllowed: false, isUnanswered: true, reason: `there was no answer within ${secs} s` },
    });
}

/** Returns no answer to a question of the agent if the user does not answer in time. */
export function askWithTimeout(ask: Ask, secs: number): Ask {
  if (secs === 0) return ask;
  return (question, signal) =>
    withTimeout((timeoutSignal) => ask(question, timeoutSignal), { secs, signal, fallback: undefined });
}

/** Returns no answer to a question about the run if the user does not answer in time. */
export function askAboutRunWithTimeout(askAboutRun: AskAboutRun, secs: number): AskAboutRun {
  if (secs === 0) return askAboutRun;
  return (question, signal) =>
    withTimeout((timeoutSignal) => askAboutRun(question, timeoutSignal), { secs, signal, fallback: undefined });
}

interface Timeout<T> {
  readonly secs: number;
  readonly signal: AbortSignal;
  /** The answer after the timeout. */
  readonly fallback: T;
}

async function withTimeout<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { secs, signal, fallback }: Timeout<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.min(secs * 1_000, 2_147_483_647));
  const late = new Promise<T>((resolve) => timeout.signal.addEventListener("abort", () => resolve(fallback)));
  try {
    return await Promise.race([ask(AbortSignal.any([signal, timeout.signal])), late]);
  } finally {
    clearTimeout(timer);
  }
}

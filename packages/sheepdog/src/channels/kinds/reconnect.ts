import { setTimeout as pause } from "node:timers/promises";
import type { AnswerReader } from "../channel-kind.ts";

/** How a connection ended: a sentence about a problem, or nothing if the server asked for a new one. */
export interface Ended {
  readonly problem?: string;
  /** The same settings will not work: the next attempt waits long. */
  readonly isFinal?: boolean;
}

const maxBackOffMs = 60_000;
const longMs = 10 * 60_000;

/** Connects again and again until the signal is aborted, after growing waits while it does not work. */
export async function keepConnected(
  connect: (onReady: () => void) => Promise<Ended>,
  { signal, onReady, onProblem }: Pick<AnswerReader, "signal" | "onReady" | "onProblem">,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const { problem, isFinal } = await connect(() => {
      failures = 0;
      onReady();
    });
    if (signal.aborted) return;
    if (problem !== undefined) {
      failures += 1;
      onProblem(problem);
    }
    const waitMs = isFinal === true ? longMs : Math.min(500 * 2 ** Math.min(failures, 10), maxBackOffMs);
    await pause(waitMs, undefined, { signal }).catch(() => {}); // the loop ends
  }
}

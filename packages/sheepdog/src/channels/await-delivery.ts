import type { Home } from "../home.ts";
import { type AnswerRequest, findRequest } from "./answers/requests.ts";

const pollMs = 300;
/** A question that is not delivered by then is given up. */
const maxMs = 60_000;
/** Attempts after which a server counts as unreachable: the run waits for a few seconds, not for hours. */
const maxAttempts = 3;

/**
 * Watches whether a question reaches at least one channel, and calls `onUnreachable` with a sentence if it does not.
 * Returns a function that stops watching.
 */
export function awaitDelivery(
  home: Home,
  requestIds: () => readonly string[],
  onUnreachable: (reason: string) => void,
): () => void {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    const requests = requestIds().flatMap((id) => findRequest(home, id) ?? []);
    const hasFailed = requests.length === 0 || requests.every(isFailed) || Date.now() - startedAt > maxMs;
    if (!hasFailed && !requests.some(({ delivery }) => delivery?.isSent === true)) return;
    clearInterval(timer);
    if (!hasFailed) return;
    const problem = requests.find(({ delivery }) => delivery?.problem !== undefined)?.delivery?.problem;
    onUnreachable(problem?.replace(/\.$/, "") ?? "no channel with answer_from got the question");
  }, pollMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isFailed({ delivery }: AnswerRequest): boolean {
  if (delivery === undefined || delivery.isSent) return false;
  return delivery.isRefused === true || (delivery.attempts ?? 0) >= maxAttempts;
}

import { createRunPort } from "../../control/run-port.ts";
import type { Home } from "../../home.ts";
import { applyAnswer } from "../answers/apply-answer.ts";
import type { Conversation } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { writeStatus } from "../channel-status.ts";

/** Reads the answers of an account while it is needed. */
export interface AnswersReading {
  /** Starts or stops reading. */
  setNeeded(isNeeded: boolean): void;
  /** Resolves when answers can be received, or when that does not work for now. */
  ready(): Promise<void>;
  /** Stops, and waits until answers that are under way are applied. */
  close(): Promise<void>;
}

/** How long a message waits for the connection that its answer would come from. */
const readyMs = 8_000;

/** Creates a reader of answers, which does not read yet. */
export function createAnswersReading(
  home: Home,
  settings: ChannelSettings,
  conversation: Conversation,
): AnswersReading {
  const port = createRunPort(home);
  const applying = new Set<Promise<void>>();
  let current:
    | { readonly abort: AbortController; readonly ended: Promise<void>; readonly ready: Promise<void> }
    | undefined;

  function start(): NonNullable<typeof current> {
    const abort = new AbortController();
    let onReady = () => {};
    const ready = new Promise<void>((resolve) => {
      onReady = resolve;
      setTimeout(resolve, readyMs).unref();
    });
    const ended = conversation.read(settings, {
      signal: abort.signal,
      onReady,
      onProblem(problem) {
        onReady(); // sending will show whether the server is dead
        writeStatus(home, settings.account, { problem, problemAt: Date.now() });
      },
      onAnswer(answer, confirm) {
        const applied = applyAnswer({ home, port, now: Date.now }, answer)
          .then((result) => confirm(result.text, result))
          .catch((error) => {
            const problem = `An answer could not be applied: ${error instanceof Error ? error.message : String(error)}`;
            writeStatus(home, settings.account, { problem, problemAt: Date.now() });
          })
          .finally(() => applying.delete(applied));
        applying.add(applied);
        return applied;
      },
    });
    return { abort, ended: ended.catch(() => {}), ready }; // a reader fails with a value
  }

  return {
    setNeeded(isNeeded) {
      if (isNeeded) current ??= start();
      else if (current !== undefined && applying.size === 0) {
        current.abort.abort();
        current = undefined;
      }
    },
    async ready() {
      current ??= start();
      await current.ready;
    },
    async close() {
      await Promise.all(applying);
      current?.abort.abort();
      await current?.ended;
    },
  };
}

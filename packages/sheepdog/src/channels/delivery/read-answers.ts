import { createRunPort } from "../../control/run-port.ts";
import type { Home } from "../../home.ts";
import { type AnswerContext, type AnswerResult, applyAnswer } from "../answers/apply-answer.ts";
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

export interface AnswersReadingOptions extends Pick<AnswerContext, "mayAnswer"> {
  readonly settings: ChannelSettings;
  readonly conversation: Conversation;
}

/** Creates a reader of answers, which does not read yet. */
export function createAnswersReading(
  home: Home,
  { settings, conversation, mayAnswer }: AnswersReadingOptions,
): AnswersReading {
  const context: AnswerContext = { home, port: createRunPort(home), now: Date.now, mayAnswer };
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
    const onProblem = (problem: string) => {
      onReady(); // sending will show whether the server is dead
      writeStatus(home, settings.account, { problem, problemAt: Date.now() });
    };
    const ended = conversation
      .read(settings, {
        signal: abort.signal,
        onReady,
        onProblem,
        onAnswer(answer, confirm) {
          const applied = applyAnswer(context, answer)
            .catch(failedResult)
            .then((result) => confirm(result.text, result))
            .catch((error) => onProblem(`An answer could not be confirmed: ${wordsOf(error)}`))
            .finally(() => applying.delete(applied));
          applying.add(applied);
          return applied;
        },
      })
      .catch((error) => onProblem(`Answers cannot be read: ${wordsOf(error)}`))
      .finally(() => {
        if (current?.abort === abort) current = undefined; // the next pass starts it again
      });
    return { abort, ended, ready };
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

/** Only the disk can fail before the run has the answer. */
function failedResult(error: unknown): AnswerResult {
  const text = `This could not be done (${wordsOf(error)}). Try again.`;
  return { text, isApplied: false, isSilent: false, isClosed: false };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { setTimeout } from "node:timers/promises";
import { ReadStream } from "node:tty";
import type { Io } from "../../io.ts";

/** Lines that a person types, one for each time it is asked. */
export interface TypedLines {
  /** Lets go of what was typed before: it is no answer to what is asked now. */
  forget(): Promise<void>;
  /** The next line; undefined where there is none, or the signal says that nobody wants it any more. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** What was typed before lies ready at once. */
const READY_MS = 50;

/**
 * Reads lines from a terminal as it hands them over. Nothing is read before the first question: a run in the background is not stopped for it. A terminal
 * goes on after Ctrl-D, which ends what is read and is no answer to what is asked later.
 */
export function typedLines(stdin: Io["stdin"]): TypedLines {
  let source: Io["stdin"] | undefined = stdin;
  let waiting: ((line: string | undefined) => void) | undefined;
  let isReading = false;
  let hasEnded = false;

  async function read(from: Io["stdin"]): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of from) {
        text += decoder.decode(chunk, { stream: true });
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) answer(line);
      }
    } catch {
      // a terminal that was closed says no more
    }
    isReading = false;
    hasEnded = true;
    answer(undefined);
  }

  function begin(): void {
    if (isReading) return;
    if (hasEnded) source = source === undefined ? undefined : openedAgain(source);
    if (source === undefined) return;
    isReading = true;
    hasEnded = false;
    void read(source);
  }

  /** A line that nobody has asked for is let go. */
  function answer(line: string | undefined): void {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  }

  return {
    async forget() {
      begin();
      await setTimeout(READY_MS);
      begin(); // where the prompt came from the terminal, that has ended by now
    },
    async next(signal) {
      if (!isReading || signal.aborted) return undefined;
      return new Promise((resolve) => {
        waiting = resolve;
        signal.addEventListener("abort", () => resolve(undefined), { once: true });
      });
    },
    close() {
      const from = source;
      source = undefined;
      if (isReading && from !== undefined && "destroy" in from && typeof from.destroy === "function") from.destroy();
    },
  };
}

function openedAgain(from: Io["stdin"]): Io["stdin"] | undefined {
  try {
    return from instanceof ReadStream ? new ReadStream(0) : undefined;
  } catch {
    return undefined; // it is gone
  }
}

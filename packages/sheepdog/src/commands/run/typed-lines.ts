import { setImmediate, setTimeout } from "node:timers/promises";
import { ReadStream } from "node:tty";
import type { Io } from "../../io.ts";

/** Reads the lines that the user types, one for each question. */
export interface TypedLines {
  /** Discards lines that were typed before the question. */
  discardTyped(): Promise<void>;
  /** The next line; undefined at the end of the input or when the signal aborts. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Lines that were typed earlier arrive within this time. */
const DISCARD_MS = 50;

/**
 * Reads lines from a terminal. Reading starts with the first question, because the system stops a background process
 * that reads. Ctrl-D ends one question; the terminal is then opened again for the next.
 */
export function createTypedLines(stdin: Io["stdin"]): TypedLines {
  let source: Io["stdin"] | undefined = stdin;
  let waiting: ((line: string | undefined) => void) | undefined;
  let isReading = false;
  let hasEnded = false;
  let discarded = 0;

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
      // the terminal was closed
    }
    isReading = false;
    hasEnded = true;
    answer(undefined);
  }

  function startReading(): void {
    if (isReading) return;
    if (hasEnded) source = source === undefined ? undefined : reopen(source);
    if (source === undefined) return;
    isReading = true;
    hasEnded = false;
    void read(source);
  }

  /** Discards the line if no question waits for it. */
  function answer(line: string | undefined): void {
    const resolve = waiting;
    waiting = undefined;
    if (resolve === undefined) discarded += 1;
    else resolve(line);
  }

  return {
    async discardTyped() {
      startReading();
      for (let before = -1; before !== discarded; ) {
        before = discarded;
        await setTimeout(DISCARD_MS);
        await setImmediate(); // on a busy machine, what arrived during the wait is read only now
      }
      startReading(); // if the prompt was read from the terminal, its input has ended by now
    },
    async next(signal) {
      if (!isReading || signal.aborted) return undefined;
      return new Promise((resolve) => {
        const settle = (line: string | undefined) => {
          signal.removeEventListener("abort", onAbort);
          resolve(line);
        };
        const onAbort = () => settle(undefined);
        waiting = settle;
        signal.addEventListener("abort", onAbort);
      });
    },
    close() {
      const from = source;
      source = undefined;
      if (isReading && from !== undefined && "destroy" in from && typeof from.destroy === "function") from.destroy();
    },
  };
}

function reopen(from: Io["stdin"]): Io["stdin"] | undefined {
  try {
    return from instanceof ReadStream ? new ReadStream(0) : undefined;
  } catch {
    return undefined; // the terminal was closed
  }
}

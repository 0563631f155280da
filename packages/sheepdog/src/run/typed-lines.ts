import { setTimeout } from "node:timers/promises";
import type { Io } from "../io.ts";

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

/** Reads lines from a terminal as it hands them over. Nothing is read before the first question: a run in the background is not stopped for it. */
export function typedLines(stdin: Io["stdin"]): TypedLines {
  let waiting: ((line: string | undefined) => void) | undefined;
  let isReading = false;
  let isOver = false;

  async function read(): Promise<void> {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stdin) {
        text += decoder.decode(chunk, { stream: true });
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) answer(line);
      }
    } catch {
      // a terminal that was closed says no more
    }
    isOver = true;
    answer(undefined);
  }

  /** A line that nobody has asked for is let go. */
  function answer(line: string | undefined): void {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
  }

  return {
    async forget() {
      if (!isReading) void read();
      isReading = true;
      await setTimeout(READY_MS);
    },
    async next(signal) {
      if (isOver || signal.aborted) return undefined;
      return new Promise((resolve) => {
        waiting = resolve;
        signal.addEventListener("abort", () => resolve(undefined), { once: true });
      });
    },
    close() {
      if (isReading && "destroy" in stdin && typeof stdin.destroy === "function") stdin.destroy();
    },
  };
}

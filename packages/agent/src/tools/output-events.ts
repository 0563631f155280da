import type { Clock } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import { plainText, unfinishedSequence } from "./plain-text.ts";

/** Publishes what a running call writes. */
export interface OutputEvents {
  push(text: string): void;
  /** Publishes nothing any more: the result has the whole output. */
  stop(): void;
}

const INTERVAL_MS = 100;
/** Characters. Readers show the end of the output only. */
const MAX_CHARS = 4_096;

/**
 * Emits `ToolOutput` at most ten times a second, without terminal sequences: one inside of a secret would hide it from
 * redaction. Of a long output, only the newest lines are published.
 */
export function createOutputEvents(callId: string, clock: Pick<Clock, "after">, emit: Emit): OutputEvents {
  let pending = "";
  let stopTimer: (() => void) | undefined;
  let isStopped = false;
  const publish = () => {
    stopTimer = undefined;
    const end = unfinishedSequence(pending);
    const text = plainText(pending.slice(0, end));
    pending = pending.slice(end);
    if (text === "") return;
    emit({ type: "ToolOutput", callId, text });
    stopTimer = clock.after(INTERVAL_MS, publish);
  };
  return {
    push(text) {
      if (isStopped) return;
      pending = newestLines(pending + text);
      if (stopTimer === undefined) publish();
    },
    stop() {
      isStopped = true;
      stopTimer?.();
    },
  };
}

/** Begins at a line or a word: a secret without its beginning would not be recognised. */
function newestLines(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const end = text.slice(-MAX_CHARS);
  const lineEnd = end.indexOf("\n");
  const start = lineEnd < 0 ? end.search(/\s/) : lineEnd;
  return start < 0 ? "" : end.slice(start + 1);
}

import { setTimeout } from "node:timers/promises";
import { type Io, write } from "../io.ts";
import { columnsOf, type Style, styleFor } from "../terminal/style.ts";

/** Marks that a terminal can show. */
interface Marks {
  readonly good: string;
  readonly bad: string;
  readonly bar: string;
}

/** Where the demo plays: a terminal with its width, its colours and its pace. */
export interface Stage {
  readonly width: number;
  readonly style: Style;
  readonly marks: Marks;
  print(...lines: readonly string[]): Promise<void>;
  /** Waits on a terminal; throws once the person has had enough. */
  pause(ms: number): Promise<void>;
}

/** Opens the stage, hides the cursor while the play lasts, and brings it back whatever happens. */
export async function onStage(io: Io, isFast: boolean, play: (stage: Stage) => Promise<void>): Promise<"finished" | "interrupted"> {
  const isDumb = io.env["TERM"] === "dumb";
  const isPaced = io.stdout.isTTY === true && !isFast;
  const hidesCursor = isPaced && !isDumb;
  const interrupt = new AbortController();
  const stopListening = io.onInterrupt(() => interrupt.abort());
  const stage: Stage = {
    width: columnsOf(io.stdout, io.env),
    style: styleFor(io.stdout, io.env),
    marks: isDumb ? { good: "ok", bad: "x", bar: "|" } : { good: "✓", bad: "✗", bar: "┃" },
    async print(...lines) {
      interrupt.signal.throwIfAborted();
      await write(io.stdout, `${lines.join("\n")}\n`);
    },
    async pause(ms) {
      if (isPaced) await setTimeout(ms, undefined, { signal: interrupt.signal });
    },
  };
  try {
    if (hidesCursor) await write(io.stdout, "\u001b[?25l");
    await play(stage);
    return "finished";
  } catch (error) {
    if (interrupt.signal.aborted) return "interrupted";
    throw error;
  } finally {
    if (hidesCursor) await write(io.stdout, "\u001b[?25h");
    stopListening();
  }
}

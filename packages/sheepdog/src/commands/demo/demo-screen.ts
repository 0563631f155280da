import { type InterruptSignal, type Io, write } from "../../io.ts";
import { columnsOf, type Style, styleFor } from "../../render/terminal/style.ts";
import { type Marks, marksFor } from "../../render/timeline/marks.ts";

/** The output of the demo. */
export interface DemoScreen {
  readonly width: number;
  readonly style: Style;
  readonly marks: Marks;
  /** Pauses between turns, so that the user can read. */
  readonly isPaced: boolean;
  /** Aborts when the user interrupts the demo. */
  readonly signal: AbortSignal;
  print(...lines: readonly string[]): Promise<void>;
}

/** Calls `play` with the cursor hidden, and always shows it again. Resolves with the signal that interrupted it. */
export async function withDemoScreen(
  io: Io,
  isFast: boolean,
  play: (screen: DemoScreen) => Promise<void>,
): Promise<InterruptSignal | undefined> {
  const isPaced = io.stdout.isTTY === true && !isFast;
  const hidesCursor = isPaced && io.env["TERM"] !== "dumb";
  const interrupt = new AbortController();
  let firstSignal: InterruptSignal | undefined;
  const stopListening = io.onInterrupt((signal) => {
    firstSignal ??= signal;
    interrupt.abort();
  });
  try {
    if (hidesCursor) await write(io.stdout, "\u001b[?25l");
    await play({
      width: columnsOf(io.stdout, io.env),
      style: styleFor(io.stdout, io.env),
      marks: marksFor(io.env),
      isPaced,
      signal: interrupt.signal,
      print: (...lines) => write(io.stdout, lines.map((line) => `${line}\n`).join("")),
    });
    return firstSignal;
  } finally {
    if (hidesCursor) await write(io.stdout, "\u001b[?25h");
    stopListening();
  }
}

import { type InterruptSignal, type Io, write } from "../../io.ts";
import { columnsOf, type Style, styleFor } from "../../render/terminal/style.ts";
import { type Marks, marksFor } from "../../render/timeline/marks.ts";

/** Where the demo plays: a terminal with its width, its colours and its pace. */
export interface Stage {
  readonly width: number;
  readonly style: Style;
  readonly marks: Marks;
  /** Somebody watches, and has to have time to read. */
  readonly isPaced: boolean;
  /** Aborted once the person has had enough. */
  readonly signal: AbortSignal;
  print(...lines: readonly string[]): Promise<void>;
}

/** Opens the stage, hides the cursor while the play lasts, and brings it back whatever happens. Tells how the play was interrupted, if it was. */
export async function onStage(
  io: Io,
  isFast: boolean,
  play: (stage: Stage) => Promise<void>,
): Promise<InterruptSignal | undefined> {
  const isPaced = io.stdout.isTTY === true && !isFast;
  const hidesCursor = isPaced && io.env["TERM"] !== "dumb";
  const interrupt = new AbortController();
  let interrupted: InterruptSignal | undefined;
  const stopListening = io.onInterrupt((signal) => {
    interrupted ??= signal;
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
    return interrupted;
  } finally {
    if (hidesCursor) await write(io.stdout, "\u001b[?25h");
    stopListening();
  }
}

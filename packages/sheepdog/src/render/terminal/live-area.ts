import { totalRows } from "./rows.ts";

/** Lines below all other output, drawn again while they change. */
export interface LiveArea {
  /** Draws these lines from now on, for the first time after 100 ms. */
  show(lines: LiveLines): void;
  /** Draws nothing any more and stops the timer. Returns the sequence that erases the lines. */
  hide(): string;
  /** Returns the sequence that erases the lines. They are drawn again later, unless they are hidden. */
  erase(): string;
}

/** Computes the lines at the time of a drawing. */
type LiveLines = () => readonly string[];

export interface LiveAreaOptions {
  readonly columns: () => number;
  readonly write: (text: string) => void;
}

const INTERVAL_MS = 100;
const ESC = "\u001b";

/** Creates an area that draws at most ten times a second. Its timer does not keep the process alive. */
export function createLiveArea({ columns, write }: LiveAreaOptions): LiveArea {
  let drawn: readonly string[] = [];
  let shown: LiveLines | undefined;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    const lines = shown?.() ?? [];
    if (lines.join("\n") === drawn.join("\n")) return;
    const text = lines.map((line) => `${line}${ESC}[K`).join("\n");
    write(`${toStart(drawn, columns())}${text}${ESC}[J`);
    drawn = lines;
  };
  const erase = () => {
    if (drawn.length === 0) return "";
    const sequence = `${toStart(drawn, columns())}${ESC}[J`;
    drawn = [];
    return sequence;
  };
  return {
    show(lines) {
      shown = lines;
      timer ??= setInterval(draw, INTERVAL_MS).unref();
    },
    hide() {
      shown = undefined;
      clearInterval(timer);
      timer = undefined;
      return erase();
    },
    erase,
  };
}

/** Moves the cursor from the end of the lines to their start. */
function toStart(lines: readonly string[], columns: number): string {
  const rows = totalRows(lines, columns) - 1;
  return `\r${rows > 0 ? `${ESC}[${rows}A` : ""}`;
}

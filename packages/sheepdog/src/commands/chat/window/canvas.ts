import { widthOf } from "../../../render/terminal/width.ts";
import type { Drawing } from "../view/drawing.ts";

const ESC = "\u001b";
const frameStart = `${ESC}[?2026h`;
const frameEnd = `${ESC}[?2026l`;

/** The output stream of ink, with the size of the last measurement. While it is held, nothing reaches the terminal. */
export interface Canvas {
  readonly stdout: NodeJS.WriteStream;
  readonly columns: number;
  readonly rows: number;
  readonly isHeld: boolean;
  hold(): void;
  /** Measures the terminal again and lets output through. */
  release(): void;
}

/** Creates a canvas whose size does not change during a drawing. */
export function createCanvas(terminal: NodeJS.WriteStream): Canvas {
  let { columns, rows } = terminalSize(terminal);
  let isHeld = false;
  let frame: string | undefined; // the unfinished frame
  const write = (chunk: string, done?: unknown): boolean => {
    if (typeof done === "function") setImmediate(done as () => void); // ink passes a callback without parameters
    if (isHeld) return true;
    if (chunk === frameStart) frame = "";
    if (frame === undefined) return terminal.write(chunk);
    frame += chunk;
    if (chunk === frameEnd) {
      terminal.write(frame); // in one write, for terminals that ignore the frame markers
      frame = undefined;
    }
    return true;
  };
  const returnStdout = () => stdout;
  const stdout: NodeJS.WriteStream = Object.create(terminal, {
    columns: { get: () => columns },
    rows: { get: () => rows },
    write: { value: write },
    on: { value: returnStdout }, // the window handles "resize" itself, with a new drawing
    off: { value: returnStdout },
  });
  return {
    stdout,
    get columns() {
      return columns;
    },
    get rows() {
      return rows;
    },
    get isHeld() {
      return isHeld;
    },
    hold() {
      isHeld = true;
      frame = undefined;
    },
    release() {
      isHeld = false;
      ({ columns, rows } = terminalSize(terminal));
    },
  };
}

/** The size of a terminal; 80 by 24 if the terminal does not report it. */
export function terminalSize({ columns, rows }: NodeJS.WriteStream): {
  readonly columns: number;
  readonly rows: number;
} {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Erases a drawing in a terminal that has wrapped its lines again at `columns`. Lines above it stay. */
export function eraseSequence({ lines, cursor }: Drawing, columns: number): string {
  const above = lines.slice(0, cursor?.y ?? lines.length);
  const rows =
    above.reduce((sum, line) => sum + rowsOf(line, columns), 0) +
    (cursor === undefined ? 0 : Math.floor(cursor.x / columns));
  return `\r${rows === 0 ? "" : `${ESC}[${rows}A`}${ESC}[J`;
}

/** Colour sequences take no columns. */
const colours = new RegExp(`${ESC}\\[[0-9;]*m`, "g");

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line.replace(colours, "")) / columns));
}

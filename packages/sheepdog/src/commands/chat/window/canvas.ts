import { widthOf } from "../../../render/terminal/width.ts";
import type { Drawing } from "../view/drawing.ts";

const ESC = "\u001b";
const frameStart = `${ESC}[?2026h`;
const frameEnd = `${ESC}[?2026l`;

/** What ink draws on: the terminal as it was measured last. While it is held nothing reaches the terminal. */
export interface Canvas {
  readonly stdout: NodeJS.WriteStream;
  readonly columns: number;
  readonly rows: number;
  readonly isHeld: boolean;
  hold(): void;
  /** Measures anew, and lets through again what is drawn. */
  release(): void;
}

/** A view of the terminal that does not change its size in the middle of a drawing. */
export function createCanvas(terminal: NodeJS.WriteStream): Canvas {
  let { columns, rows } = terminalSize(terminal);
  let isHeld = false;
  let frame: string | undefined; // what has come of one that is not complete
  const write = (chunk: string, done?: unknown): boolean => {
    if (typeof done === "function") setImmediate(done as () => void); // ink hands over nothing else
    if (isHeld) return true;
    if (chunk === frameStart) frame = "";
    if (frame === undefined) return terminal.write(chunk);
    frame += chunk;
    if (chunk === frameEnd) {
      terminal.write(frame); // at once, for terminals that do not know the marks
      frame = undefined;
    }
    return true;
  };
  const own = () => stdout;
  const stdout: NodeJS.WriteStream = Object.create(terminal, {
    columns: { get: () => columns },
    rows: { get: () => rows },
    write: { value: write },
    on: { value: own }, // of a new size it is told by a new drawing
    off: { value: own },
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

/** Some terminals do not know how large they are. */
export function terminalSize({ columns, rows }: NodeJS.WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}

/** Takes away what was drawn, in a terminal that has by now broken its lines anew at `columns`. What stands above stays. */
export function eraseSequence({ lines, cursor }: Drawing, columns: number): string {
  const above = lines.slice(0, cursor?.y ?? lines.length);
  const rows =
    above.reduce((sum, line) => sum + rowsOf(line, columns), 0) +
    (cursor === undefined ? 0 : Math.floor(cursor.x / columns));
  return `\r${rows === 0 ? "" : `${ESC}[${rows}A`}${ESC}[J`;
}

/** Colours take no room. */
const colours = new RegExp(`${ESC}\\[[0-9;]*m`, "g");

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line.replace(colours, "")) / columns));
}

import type { Drawing } from "../view/drawing.ts";

/** The height of a drawing, and how many rows the entries that are printed above the next one take. */
export interface PreviousDrawing {
  readonly height: number;
  readonly printedRows: number;
}

/**
 * Fills a drawing with empty lines at its top, so that the prompt stays in its row when a menu above it closes. Entries
 * that are printed above use up the empty lines.
 */
export function keepHeight({ lines, cursor }: Drawing, { height, printedRows }: PreviousDrawing): Drawing {
  const missing = Math.max(0, height - printedRows - lines.length);
  if (missing === 0) return { lines, ...(cursor === undefined ? {} : { cursor }) };
  return {
    lines: [...Array.from({ length: missing }, () => ""), ...lines],
    ...(cursor === undefined ? {} : { cursor: { x: cursor.x, y: cursor.y + missing } }),
  };
}

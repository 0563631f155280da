import { stripVTControlCharacters } from "node:util";
import { widthOf } from "./width.ts";

/** The number of rows that lines take in a terminal of this width. Colours take no columns. */
export function totalRows(lines: readonly string[], columns: number): number {
  const rowsOf = (line: string) => Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns));
  return lines.reduce((sum, line) => sum + rowsOf(line), 0);
}

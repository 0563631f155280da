import { stripVTControlCharacters } from "node:util";
import { widthOf } from "./width.ts";

/** The number of rows that a line takes in a terminal of this width. Colours take no columns. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns));
}

/** The number of rows that several lines take. */
export function totalRows(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
}

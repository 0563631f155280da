import type { DiffLine } from "../diff/diff-line.ts";
import { plainLines } from "./plain-lines.ts";

/** A line of a change, wrapped. Every row has the sign of the line. */
export function diffRows({ sign, text }: DiffLine, width: number): readonly DiffLine[] {
  return plainLines(text, width - 1).map((row) => ({ sign, text: row }));
}

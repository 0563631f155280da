import type { Style } from "../terminal/style.ts";
import type { DiffLine } from "./diff-line.ts";

/** The colour of a line of a change. */
export function paintOf({ sign }: DiffLine, style: Style): (text: string) => string {
  return { " ": (line: string) => line, "+": style.green, "-": style.red, "…": style.dim }[sign];
}

/** A line of a change as text; a note has no sign. */
export function diffText({ sign, text }: DiffLine): string {
  return sign === "…" ? text : `${sign}${text}`;
}

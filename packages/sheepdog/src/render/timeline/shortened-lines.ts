import { counted } from "../terminal/amounts.ts";
import { cut, widthOf } from "../terminal/width.ts";
import type { Marks } from "./marks.ts";

/** How much of a text is shown. */
export interface PartOptions {
  readonly max: number;
  readonly width: number;
  readonly marks: Marks;
}

/** At most `max` lines from the end; the first one says how many are before it. */
export function lastLines(lines: readonly string[], { max, width, marks }: PartOptions): readonly string[] {
  if (lines.length <= max) return lines;
  const more = `${marks.more} +${counted(lines.length - max, "line")}  `;
  return lines
    .slice(-max)
    .map((line, index) => (index === 0 ? `${more}${cut(line, Math.max(4, width - widthOf(more)))}` : line));
}

/** At most `max` lines; the last one says how many more there are. */
export function firstLines(lines: readonly string[], { max, width, marks }: PartOptions): readonly string[] {
  if (lines.length <= max) return lines;
  const more = `  ${marks.more} +${counted(lines.length - max, "line")}`;
  return lines
    .slice(0, max)
    .map((line, index) => (index === max - 1 ? `${cut(line, Math.max(4, width - widthOf(more)))}${more}` : line));
}

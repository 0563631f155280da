import { diffText, paintOf } from "../../../render/diff/diff-paint.ts";
import { widthOf } from "../../../render/terminal/width.ts";
import { itemLines, repeatedItemLines } from "../../../render/timeline/item-lines.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import type { ChatEntry } from "../state/chat-entry.ts";
import { cardLine } from "./card-view.ts";
import type { ViewOptions } from "./view-options.ts";

/** An entry as lines for the scrollback. A prompt has an empty line before it. */
export function entryLines(entry: ChatEntry, { style, columns, symbols, marks }: ViewOptions): readonly string[] {
  const width = Math.max(2, columns);
  const itemOptions = { style, width, marks };
  switch (entry.type) {
    case "message": {
      const paint = { plain: (line: string) => line, dim: style.dim, warning: style.yellow }[entry.tone];
      return entry.lines.flatMap((line) => hangingLines(line, width)).map(paint);
    }
    case "approval":
      return [
        ...plainLines(`${symbols.prompt} ${entry.title}`, width).map(style.bold),
        ...entry.lines.flatMap((line) => cardLine(line, style, width - 2)).map((line) => `  ${line}`),
      ];
    case "repeated":
      return repeatedItemLines(entry, itemOptions);
    case "diff":
      return [
        ...plainLines(entry.title, width).map(style.bold),
        ...entry.lines
          .flatMap((line) => plainLines(diffText(line), width - 2).map(paintOf(line, style)))
          .map((line) => `  ${line}`),
      ];
    case "guardian":
      return [...itemLines(entry, itemOptions), style.dim("  Ctrl-G shows why")];
    case "prompt":
      return ["", ...itemLines(entry, itemOptions)];
    default:
      return itemLines(entry, itemOptions);
  }
}

/** The smallest useful width of a second column. */
const MIN_COLUMN_WIDTH = 12;

/** Breaks a line of two columns, as in `  /quit  leave`, within its second column. */
function hangingLines(line: string, width: number): readonly string[] {
  const [, first = "", second = ""] = /^( {2}\S.*? {2,})(\S.*)$/.exec(line) ?? [];
  const secondWidth = width - widthOf(first);
  if (second === "" || secondWidth < MIN_COLUMN_WIDTH) return plainLines(line, width);
  const indent = " ".repeat(widthOf(first));
  return plainLines(second, secondWidth).map((part, index) => `${index === 0 ? first : indent}${part}`);
}

import { widthOf } from "../../../render/terminal/width.ts";
import { itemLines } from "../../../render/timeline/item-lines.ts";
import { plainLines } from "../../../render/timeline/plain-lines.ts";
import type { ChatEntry } from "../state/chat-entry.ts";
import { cardLine } from "./card-view.ts";
import type { ViewOptions } from "./view-options.ts";

/** An entry as it goes to the scrollback: lines that fit, with an empty one before what begins something. */
export function entryLines(entry: ChatEntry, look: ViewOptions): readonly string[] {
  const { style, columns, signs } = look;
  const width = Math.max(2, columns);
  switch (entry.type) {
    case "said": {
      const paint = { plain: (line: string) => line, dim: style.dim, warning: style.yellow }[entry.tone];
      return entry.lines.flatMap((line) => hanging(line, width)).map(paint);
    }
    case "asked":
      return [
        ...plainLines(`${signs.prompt} ${entry.title}`, width).map(style.bold),
        ...entry.lines.flatMap((line) => cardLine(line, style, width - 2)).map((line) => `  ${line}`),
      ];
    case "guardian":
      return [...itemLines(entry, look), style.dim("  Ctrl-G shows why")];
    case "prompt":
      return ["", ...itemLines(entry, look)];
    default:
      return itemLines(entry, look);
  }
}

/** Below that, a column of its own is no help. */
const NARROWEST = 12;

/** A line of two columns, as in `  /quit  leave`, goes on in the second one. */
function hanging(line: string, width: number): readonly string[] {
  const [, first = "", second = ""] = /^( {2}\S.*? {2,})(\S.*)$/.exec(line) ?? [];
  const room = width - widthOf(first);
  if (second === "" || room < NARROWEST) return plainLines(line, width);
  return plainLines(second, room).map((part, place) => `${place === 0 ? first : " ".repeat(widthOf(first))}${part}`);
}

function itemLines(
  entry: Exclude<ChatEntry, { type: "said" | "asked" }>,
  { style, columns, marks }: ViewOptions,
): readonly string[] {
  return itemLines(entry, { style, width: Math.max(2, columns), marks });
}

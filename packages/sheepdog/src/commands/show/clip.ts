import type { Item } from "../../render/timeline/item.ts";

/** Characters. `--json` prints the whole text. */
const maxLength = { short: 20_000, full: 200_000 } as const;

/** An item with its text cut to a readable length. */
export function clip(item: Item, isFull: boolean): Item {
  const clipped = (text: string) => clipText(text, isFull ? maxLength.full : maxLength.short);
  if (item.type === "call") return item.content === undefined ? item : { ...item, content: clipped(item.content) };
  if (item.type === "guardian" || item.type === "recovered" || item.type === "end") return item;
  return { ...item, text: clipped(item.text) };
}

function clipText(text: string, max: number): string {
  const excess = text.length - max;
  return excess <= 0 ? text : `${text.slice(0, max)}\n(${excess.toLocaleString("en-US")} more characters)`;
}

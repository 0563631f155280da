import type { Item } from "../../render/timeline/item.ts";

/** More than anybody reads at a terminal; `--json` has all of it. */
const longest = { some: 20_000, full: 200_000 } as const;

/** An item with no more text than can be read. */
export function clip(item: Item, isFull: boolean): Item {
  const clipped = (text: string) => clipText(text, isFull ? longest.full : longest.some);
  if (item.type === "call") return item.content === undefined ? item : { ...item, content: clipped(item.content) };
  if (item.type === "guardian" || item.type === "recovered" || item.type === "end") return item;
  return { ...item, text: clipped(item.text) };
}

function clipText(text: string, most: number): string {
  const left = text.length - most;
  return left <= 0 ? text : `${text.slice(0, most)}\n(${left.toLocaleString("en-US")} more characters)`;
}

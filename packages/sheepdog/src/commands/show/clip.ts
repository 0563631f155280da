import type { Item } from "@sheepdog/agent/timeline";
import { counted } from "../../render/terminal/amounts.ts";

/** Characters of one item. */
const MAX_CHARS = 4_000;
/** Lines of one item. */
const MAX_LINES = 60;

/** An item with its text cut to a readable length; `fullCommand` prints all of it. */
export function clip(item: Item, fullCommand: string): Item {
  if (item.type !== "text" && item.type !== "prompt" && item.type !== "thinking") return item;
  return { ...item, text: clipText(item.text, fullCommand) };
}

function clipText(text: string, fullCommand: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, MAX_LINES).join("\n").slice(0, MAX_CHARS);
  const hidden = text.trimEnd().length - shown.length;
  return hidden <= 0 ? text : `${shown}\n(${counted(hidden, "more character")}; see all with: ${fullCommand})`;
}

import type { Item } from "./item.ts";

/** What the guardian says is said once, until it is over; that it refuses a call is said of the call, once it was said that such calls will be. */
export function onceEach(): (item: Item) => boolean {
  const said = new Set<string>();
  return (item) => {
    if (item.type === "recovered") said.clear();
    if (item.type !== "guardian") return true;
    const { detector, level, message, denies } = item.intervention;
    const words = `${detector} ${level} ${message}`;
    const isNew = !said.has(words) && !(denies !== undefined && said.has(`${detector} ${level}`));
    said.add(words).add(`${detector} ${level}`);
    return isNew;
  };
}

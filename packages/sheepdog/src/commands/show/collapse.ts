import type { Item } from "@sheepdog/agent/timeline";
import { isSameItem } from "../../render/timeline/same-item.ts";

/** An item, how often it occurred in a row, and its first and last turn. */
export interface RepeatedItem {
  readonly item: Item;
  readonly times: number;
  readonly from: number;
  readonly to: number;
}

/** Items of the same turns. */
export interface TurnGroup {
  readonly from: number;
  readonly to: number;
  readonly items: readonly RepeatedItem[];
}

/** Collapses consecutive equal items into the first of them. */
export function collapse(items: readonly Item[]): readonly RepeatedItem[] {
  const collapsed: RepeatedItem[] = [];
  for (const item of items) {
    const last = collapsed.at(-1);
    const turn = "turn" in item ? item.turn : (last?.to ?? 0);
    if (last !== undefined && isSameItem(item, last.item))
      collapsed[collapsed.length - 1] = { ...last, times: last.times + 1, to: turn };
    else collapsed.push({ item, times: 1, from: turn, to: turn });
  }
  return collapsed;
}

/** Groups items whose turns overlap. */
export function groupByTurns(items: readonly RepeatedItem[]): readonly TurnGroup[] {
  const groups: { from: number; to: number; items: RepeatedItem[] }[] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last === undefined || item.from > last.to) groups.push({ from: item.from, to: item.to, items: [item] });
    else {
      last.items.push(item);
      last.to = Math.max(last.to, item.to);
    }
  }
  return groups;
}

import type { Item } from "@sheepdog/agent/timeline";
import { isSameItem } from "../../../render/timeline/same-item.ts";
import type { ChatEntry } from "./chat-entry.ts";
import type { ChatState, HeldItem } from "./chat-state.ts";

/** The state with more entries. The held call is printed before them. */
export function withEntries(state: ChatState, ...entries: readonly ChatEntry[]): ChatState {
  if (entries.length === 0) return state;
  const { held, ...rest } = state;
  return { ...rest, entries: [...state.entries, ...(held === undefined ? [] : [heldEntry(held)]), ...entries] };
}

/** The state with more items of the run. The last call is held, because the next one may repeat it. */
export function withItems(state: ChatState, items: readonly Item[]): ChatState {
  return items.reduce((previous, item) => {
    if (item.type !== "call") return withEntries(previous, item);
    const { held, ...rest } = previous;
    if (held !== undefined && isSameItem(held.item, item)) return { ...rest, held: { item, times: held.times + 1 } };
    return { ...withHeldPrinted(previous), held: { item, times: 1 } };
  }, state);
}

/** The state whose entries contain the held call: nothing repeats it any more. */
export function withHeldPrinted(state: ChatState): ChatState {
  const { held, ...rest } = state;
  return held === undefined ? state : { ...rest, entries: [...state.entries, heldEntry(held)] };
}

function heldEntry({ item, times }: HeldItem): ChatEntry {
  return times === 1 ? item : { type: "repeated", item, times };
}

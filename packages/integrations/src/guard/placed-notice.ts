import type { LoopGuard } from "./loop-guard.ts";
import type { Notice } from "./notice.ts";

/** A notice with the id of the message or the call that it follows. */
export interface PlacedNotice extends Notice {
  readonly after: string;
}

/** Notices that stay in the requests of a run. */
const MAX_PLACED = 50;

/** Ends the turn. Returns the notices so far and the new ones, which follow the newest message from now on. */
export function placeNotices(
  guard: LoopGuard,
  placed: readonly PlacedNotice[],
  newest: string | undefined,
): readonly PlacedNotice[] {
  const notices = guard.beforeRequest();
  if (newest === undefined) return placed;
  guard.confirm(notices);
  return [...placed, ...notices.map((notice) => ({ ...notice, after: newest }))].slice(-MAX_PLACED);
}

/** How the items of a request are written. */
export interface ItemForm<Item> {
  /** The ids that a notice may follow. */
  idsOf(item: Item): readonly (string | undefined)[];
  noticeItem(text: string): Item;
}

/** The items with each notice where the model has read it first, so that prompts stay the same from their start. */
export function withNotices<Item>(
  items: readonly Item[],
  placed: readonly PlacedNotice[],
  form: ItemForm<Item>,
): Item[] {
  if (placed.length === 0) return [...items];
  return items.flatMap((item) => {
    const ids = form.idsOf(item);
    const texts = placed.filter(({ after }) => ids.includes(after)).map(({ text }) => text);
    return texts.length === 0 ? [item] : [item, form.noticeItem(texts.join("\n"))];
  });
}

/** The notices of a saved state; none if there are none. */
export function readPlaced(state: unknown): readonly PlacedNotice[] {
  const { placed } = (state ?? {}) as { readonly placed?: unknown }; // checked below
  return Array.isArray(placed) ? placed.filter(isPlacedNotice) : [];
}

function isPlacedNotice(value: unknown): value is PlacedNotice {
  const { id, text, after } = (value ?? {}) as Partial<PlacedNotice>; // checked here
  return typeof id === "string" && typeof text === "string" && typeof after === "string";
}

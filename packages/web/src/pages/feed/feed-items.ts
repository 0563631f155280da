import type { FeedItem, FeedPage } from "../../contract/index.ts";

/** The activity that is loaded so far, newest first. */
export interface ActivityList {
  readonly items: readonly FeedItem[];
  /** Where older items begin; null if all are loaded. */
  readonly nextBefore: number | null;
}

/**
 * The list after its newest page was loaded again. Items of both are taken from the page, because what is known about
 * an item changes. If so much happened that the page does not reach the list any more, the page replaces it.
 */
export function withNewestPage(list: ActivityList | undefined, page: FeedPage): ActivityList {
  const fresh = { items: sorted(page.items), nextBefore: page.nextBefore };
  const oldest = fresh.items.at(-1);
  const newestKnown = list?.items[0];
  if (list === undefined || oldest === undefined || newestKnown === undefined || page.nextBefore === null) return fresh;
  if (newestKnown.position < oldest.position) return fresh;
  const keys = new Set(fresh.items.map(({ key }) => key));
  const older = list.items.filter(({ key, position }) => position <= oldest.position && !keys.has(key));
  return older.length === 0 ? fresh : { items: [...fresh.items, ...older], nextBefore: list.nextBefore };
}

/** The list with an older page at its end. */
export function withOlderItems(list: ActivityList, page: FeedPage): ActivityList {
  const keys = new Set(list.items.map(({ key }) => key));
  return {
    items: [...list.items, ...sorted(page.items).filter(({ key }) => !keys.has(key))],
    nextBefore: page.nextBefore,
  };
}

/** The items up to a position; those after it wait until the reader wants them. */
export function itemsUpTo(
  items: readonly FeedItem[],
  position: number | undefined,
): { readonly shown: readonly FeedItem[]; readonly held: number } {
  if (position === undefined) return { shown: items, held: 0 };
  const shown = items.filter((item) => item.position <= position);
  return { shown, held: items.length - shown.length };
}

function sorted(items: readonly FeedItem[]): readonly FeedItem[] {
  return items.toSorted((one, other) => other.position - one.position || other.seq - one.seq);
}

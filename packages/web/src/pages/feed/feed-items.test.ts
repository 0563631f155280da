import { expect, test } from "vitest";
import type { FeedItem, FeedPage } from "../../contract/index.ts";
import { itemsUpTo, withNewestPage, withOlderItems } from "./feed-items.ts";

function item(position: number, fields: Partial<FeedItem> = {}): FeedItem {
  return {
    key: `ses_1:${position}`,
    position,
    seq: position,
    at: position * 1_000,
    runId: "run_1",
    sessionId: "ses_1",
    project: "web-shop",
    kind: "call",
    level: null,
    isApplied: true,
    sentence: [{ text: "Tests pass" }],
    detail: [],
    status: "ok",
    statusText: null,
    costUsd: null,
    group: "other",
    ...fields,
  };
}
const page = (items: readonly FeedItem[], nextBefore: number | null): FeedPage => ({
  items: [...items],
  position: items[0]?.position ?? 0,
  nextBefore,
});

test("new items come on top, known ones once and in their newest words, older ones stay", () => {
  const list = withOlderItems(withNewestPage(undefined, page([item(4), item(3)], 3)), page([item(2)], 2));
  const changed = item(4, { detail: [{ text: "Not followed." }] });
  expect(withNewestPage(list, page([item(5), changed], 4))).toEqual({
    items: [item(5), changed, item(3), item(2)],
    nextBefore: 2,
  });
});

test("items of one batch are in the order of their events", () => {
  const batch = [item(7, { key: "a", seq: 10 }), item(7, { key: "b", seq: 12 }), item(7, { key: "c", seq: 11 })];
  expect(withNewestPage(undefined, page(batch, null)).items.map(({ key }) => key)).toEqual(["b", "c", "a"]);
});

test("a page that does not reach the list replaces it, so that there is no gap", () => {
  const list = withNewestPage(undefined, page([item(2), item(1)], null));
  expect(withNewestPage(list, page([item(90), item(80)], 80))).toEqual({ items: [item(90), item(80)], nextBefore: 80 });
});

test("an older page that overlaps is added once", () => {
  const list = withNewestPage(undefined, page([item(4), item(3)], 3));
  expect(withOlderItems(list, page([item(3), item(2)], null)).items).toEqual([item(4), item(3), item(2)]);
});

test("items after the position at which the reader stopped are held back and counted", () => {
  const items = [item(5), item(4), item(3)];
  expect(itemsUpTo(items, 3)).toEqual({ shown: [item(3)], held: 2 });
  expect(itemsUpTo(items, undefined)).toEqual({ shown: items, held: 0 });
});

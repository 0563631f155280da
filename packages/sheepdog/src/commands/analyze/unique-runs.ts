import type { ReadItem } from "@sheepdog/records";

/** Numbers runs with the same id, so that the answers about one are not taken for answers about another. */
export async function* withUniqueIds(items: AsyncIterable<ReadItem>): AsyncGenerator<ReadItem> {
  const counts = new Map<string, number>();
  for await (const item of items) {
    if (item.type !== "run") {
      yield item;
      continue;
    }
    const count = (counts.get(item.run.id) ?? 0) + 1;
    counts.set(item.run.id, count);
    yield count === 1 ? item : { ...item, run: { ...item.run, id: `${item.run.id}#${count}` } };
  }
}

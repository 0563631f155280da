import type { EventBatch } from "@sheepdog/agent";
import { type FeedItem, type FeedPage, feedQuerySchema } from "@sheepdog/web/contract";
import type { z } from "zod";
import type { ViewContext } from "../view-context.ts";
import { createItemReader } from "./feed-items/session-items.ts";

const BATCHES_PER_READ = 100;
/** Batches that one page reads at most. A page of a rare group may have fewer items, and older ones follow. */
const MAX_BATCHES = 4_000;

/**
 * The activity of all runs: newest first, or with `after` oldest first. A batch is never split, so that a position
 * divides pages exactly. With `after`, `position` is what the page has reached: pass it as the next `after`.
 */
export async function feedView(context: ViewContext, input: z.input<typeof feedQuerySchema> = {}): Promise<FeedPage> {
  const { group, after, before, limit } = feedQuerySchema.parse(input);
  const { events } = context.stores;
  const position = await events.lastPosition();
  const itemsOf = await createItemReader(context.stores, context.now());
  const found = new Map<string, FeedItem>();
  let reached = after ?? before ?? position + 1;
  let hasMore = true;
  for (let read = 0; read < MAX_BATCHES && hasMore && found.size < limit; read += BATCHES_PER_READ) {
    const batches: readonly EventBatch[] =
      after === undefined
        ? await events.batchesBefore(reached, BATCHES_PER_READ)
        : await events.batchesAfter(reached, BATCHES_PER_READ);
    hasMore = batches.length === BATCHES_PER_READ;
    for (const batch of batches) {
      if (found.size >= limit) {
        hasMore = true;
        break;
      }
      reached = batch.position;
      const items = await itemsOf(batch.sessionId);
      for (const { seq } of batch.events) {
        const item = items.get(seq);
        if (item === undefined || found.has(item.key) || !isInGroup(item, group)) continue;
        found.set(item.key, { ...item, position: batch.position });
      }
    }
  }
  const items = [...found.values()].toSorted(
    (one, other) => other.position - one.position || other.at - one.at || other.seq - one.seq,
  );
  if (after === undefined) return { items, position, nextBefore: hasMore ? reached : null };
  return { items: items.reverse(), position: hasMore ? reached : Math.max(position, reached), nextBefore: null };
}

/** The end of a run by the guardian or by a limit belongs to two groups. */
function isInGroup({ group, kind }: Pick<FeedItem, "group" | "kind">, wanted: FeedItem["group"] | undefined): boolean {
  return wanted === undefined || group === wanted || (wanted === "ended" && kind === "ended");
}

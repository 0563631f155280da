import type { EventBatch } from "@sheepdog/agent";

/** A batch as it is sent. */
export interface BatchFrame {
  readonly position: number;
  readonly sessionId: string;
  readonly text: Uint8Array;
}

/** The frames that were made last, each by the position before it, so that many clients share them. */
export interface FrameCache {
  /** The frame that follows a position; undefined if it has to be read. */
  after(position: number): BatchFrame | undefined;
  /** Adds batches that follow a position directly. */
  add(position: number, batches: readonly EventBatch[]): void;
  clear(): void;
}

/** Creates a cache. When it has more than `maxBytes`, the next `add` first drops the frames that were made first. */
export function createFrameCache(frameOf: (batch: EventBatch) => Uint8Array, maxBytes: number): FrameCache {
  const frames = new Map<number, BatchFrame>();
  let bytes = 0;
  return {
    after: (position) => frames.get(position),
    add(position, batches) {
      for (const [oldest, { text }] of frames) {
        if (bytes <= maxBytes) break;
        frames.delete(oldest);
        bytes -= text.length;
      }
      let previous = position;
      for (const batch of batches) {
        if (!frames.has(previous)) {
          const text = frameOf(batch);
          frames.set(previous, { position: batch.position, sessionId: batch.sessionId, text });
          bytes += text.length;
        }
        previous = batch.position;
      }
    },
    clear() {
      frames.clear();
      bytes = 0;
    },
  };
}

import type { Message } from "../protocol/messages.ts";

/**
 * Messages that are kept or left out together: a reply with its results and the guardian's notices about them, or a
 * single message of another kind.
 */
export type Segment = readonly Message[];

/** Splits messages into segments. Expects paired calls. */
export function toSegments(messages: readonly Message[]): readonly Segment[] {
  const segments: Message[][] = [];
  for (const message of messages) {
    const current = segments.at(-1);
    if (current !== undefined && belongsToPrevious(message)) current.push(message);
    else segments.push([message]);
  }
  return segments;
}

function belongsToPrevious(message: Message): boolean {
  return message.role === "tool" || (message.role === "user" && message.origin === "guardian");
}

/** The index of the segment at which a tail of at least `minTail` messages begins. */
export function tailStart(segments: readonly Segment[], minTail: number): number {
  let index = segments.length;
  for (let messages = 0; index > 0 && messages < minTail; ) {
    index -= 1;
    messages += segments[index]?.length ?? 0;
  }
  return index;
}

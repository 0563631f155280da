import type { Message } from "../protocol/messages.ts";

/** Messages that are kept or left out together: a reply with its results and the guardian's notices about them, or a single message of another kind. */
export type Segment = readonly Message[];

/** The messages cut where nothing that belongs together is separated. Wants settled calls. */
export function segmentsOf(messages: readonly Message[]): readonly Segment[] {
  const segments: Message[][] = [];
  for (const message of messages) {
    const current = segments.at(-1);
    if (current !== undefined && joinsTheOneBefore(message)) current.push(message);
    else segments.push([message]);
  }
  return segments;
}

function joinsTheOneBefore(message: Message): boolean {
  return message.role === "tool" || (message.role === "user" && message.origin === "guardian");
}

/** Where the tail begins that holds at least so many messages: an index into the segments. */
export function tailStart(segments: readonly Segment[], minTail: number): number {
  let index = segments.length;
  for (let messages = 0; index > 0 && messages < minTail; ) {
    index -= 1;
    messages += segments[index]?.length ?? 0;
  }
  return index;
}

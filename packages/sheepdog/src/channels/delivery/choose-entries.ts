import { createHash } from "node:crypto";
import { joinNotices } from "../coalesce.ts";
import { isWaiting, type Notice } from "../notice.ts";
import type { OutboxEntry } from "../outbox.ts";

/** Older messages say nothing any more. */
const maxAgeMs = 24 * 3_600_000;

/** The next message: what it says, and the entries that it delivers. */
export interface NextMessage {
  readonly entries: readonly [OutboxEntry, ...OutboxEntry[]];
  readonly notice: Notice;
  /** The same at each attempt with the same entries; another one if more have joined, so that nobody drops those. */
  readonly id: string;
}

/** Entries that are not sent any more: too old, or a question that is over. `isOpen` tells it of a request. */
export function outdatedEntries(
  entries: readonly OutboxEntry[],
  { now, isOpen }: { readonly now: number; readonly isOpen: (requestId: string) => boolean },
): readonly OutboxEntry[] {
  return entries.filter(({ notice, requestId }) => {
    const { at, answerBy = Infinity } = notice;
    const isOver = isWaiting(notice) && requestId !== undefined && !isOpen(requestId);
    return now - at > maxAgeMs || now > answerBy || isOver;
  });
}

/** Questions come first. News about one run that have waited together become one message. */
export function nextMessage(entries: readonly OutboxEntry[]): NextMessage | undefined {
  const first = entries.find(({ notice }) => isWaiting(notice)) ?? entries[0];
  if (first === undefined) return undefined;
  if (isWaiting(first.notice)) return { entries: [first], notice: first.notice, id: first.notice.id };
  const sameRun = entries.filter(
    ({ notice, channel }) =>
      !isWaiting(notice) && notice.run.runId === first.notice.run.runId && channel.name === first.channel.name,
  );
  const others = sameRun.filter((entry) => entry !== first);
  const notice = joinNotices(sameRun.map((entry) => entry.notice)) ?? first.notice;
  return { entries: [first, ...others], notice, id: idOf(sameRun.map((entry) => entry.notice.id)) };
}

function idOf(ids: readonly string[]): string {
  const [only = ""] = ids;
  if (ids.length <= 1) return only;
  return `ntc_${createHash("sha256").update(ids.toSorted().join(" ")).digest("hex").slice(0, 32)}`;
}

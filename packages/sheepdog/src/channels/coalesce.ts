import { isWaiting, type Notice, questionKey } from "./notice.ts";

/** Notices of a run that are not sent yet, oldest first. Each has the time at which it is due. */
export interface PendingNotices {
  readonly pending: readonly { readonly notice: Notice; readonly dueAt: number }[];
  /** How many messages without a question were sent in the current window. */
  readonly sent: number;
  readonly windowAt: number;
}

export interface CoalesceOptions {
  /** How long a notice waits for others to join it. */
  readonly joinMs: number;
  /** How long a question waits: the user may answer it in the terminal. */
  readonly questionMs: number;
  /** At most this many messages without a question in `windowMs`; the others wait for the end of the window. */
  readonly maxMessages: number;
  readonly windowMs: number;
}

export const noNotices: PendingNotices = { pending: [], sent: 0, windowAt: 0 };

/** Most sentences that one message has besides the first. */
const maxDetails = 5;

/** Adds a notice. The end of a run is due at once, and takes everything with it that is no question. */
export function addNotice(state: PendingNotices, notice: Notice, options: CoalesceOptions): PendingNotices {
  const waitMs = notice.kind === "end" ? 0 : isWaiting(notice) ? options.questionMs : options.joinMs;
  return { ...state, pending: [...state.pending, { notice, dueAt: notice.at + waitMs }] };
}

/** Removes the question that was answered elsewhere. */
export function closeQuestion(state: PendingNotices, key: string): PendingNotices {
  return { ...state, pending: state.pending.filter(({ notice }) => questionKey(notice.topic) !== key) };
}

/** The messages that are due, and what stays. A question is a message of its own; the other notices become one. */
export function takeDue(
  state: PendingNotices,
  now: number,
  { maxMessages, windowMs }: CoalesceOptions,
): { readonly state: PendingNotices; readonly messages: readonly Notice[] } {
  const isDue = ({ dueAt }: PendingNotices["pending"][number]) => dueAt <= now;
  const hasEnded = state.pending.some(({ notice }) => notice.kind === "end");
  const questions = state.pending.filter((each) => isWaiting(each.notice) && isDue(each) && !hasEnded);
  const news = state.pending.filter(({ notice }) => !isWaiting(notice));
  const isNewWindow = now - state.windowAt >= windowMs;
  const sent = isNewWindow ? 0 : state.sent;
  const isNewsDue = news.some(isDue) && (hasEnded || sent < maxMessages);
  const messages = [
    ...questions.map(({ notice }) => notice),
    ...(isNewsDue ? [joinNotices(news.map(({ notice }) => notice))].filter((notice) => notice !== undefined) : []),
  ];
  const stays = state.pending.filter(
    (each) => !hasEnded && !questions.includes(each) && !(isNewsDue && news.includes(each)),
  );
  const window = isNewWindow && isNewsDue ? { sent: 1, windowAt: now } : { sent: sent + (isNewsDue ? 1 : 0) };
  return { state: { ...state, ...window, pending: stays }, messages };
}

/** When `takeDue` should be called next; undefined if nothing waits. */
export function nextDueAt(state: PendingNotices, { maxMessages, windowMs }: CoalesceOptions): number | undefined {
  const times = state.pending.map(({ notice, dueAt }) => {
    const isHeld = !isWaiting(notice) && notice.kind !== "end" && state.sent >= maxMessages;
    return isHeld ? Math.max(dueAt, state.windowAt + windowMs) : dueAt;
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** One notice for several of a run: the newest of the most important kind, with the sentences of the others. */
export function joinNotices(notices: readonly Notice[]): Notice | undefined {
  const rank = { start: 0, hint: 1, budget: 2, approval: 3, question: 3, halt: 4, end: 5 } as const;
  const [first] = notices.toSorted((one, other) => rank[other.kind] - rank[one.kind] || other.at - one.at);
  if (first === undefined) return undefined;
  const others = notices.filter((notice) => notice !== first && notice.kind !== "start");
  const sentences = others.flatMap((notice) => [notice.sentence, ...notice.details]);
  const details = countEqual([...first.details, ...sentences].filter((sentence) => sentence !== first.sentence));
  const hidden = details.length - maxDetails;
  const shown = hidden > 0 ? [...details.slice(0, maxDetails), `… and ${hidden} more`] : details;
  const topic = first.topic ?? others.findLast((notice) => notice.topic !== undefined)?.topic;
  const hasTopic = topic !== undefined && first.kind !== "end";
  return { ...first, details: shown, ...(hasTopic ? { topic } : {}) };
}

/** Equal sentences become one with their number. */
function countEqual(sentences: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return [...counts].map(([sentence, count]) => (count === 1 ? sentence : `${sentence} (${count} times)`));
}

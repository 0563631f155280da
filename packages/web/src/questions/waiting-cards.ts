import type { Waiting } from "../contract/index.ts";

/** A card of the feed. `answered` is set when it does not wait any more: it stays for a moment and says why. */
export interface WaitingCard {
  readonly waiting: Waiting;
  readonly answered: { readonly text: string; readonly leavesAt: number } | undefined;
}

/** How long an answered card stays. */
const CARD_STAYS_MS = 6_000;

interface CardChange {
  readonly waiting: readonly Waiting[];
  readonly now: number;
  /** The pointer is over the cards: answered ones keep their places. */
  readonly isHeld?: boolean;
  /** What came of a question that does not wait any more, as a sentence. */
  readonly answerText: (waiting: Waiting) => string;
}

/** The cards after a change. They keep their places, so that no other card comes under the pointer; new ones follow. */
export function changedCards(
  cards: readonly WaitingCard[],
  { waiting, now, isHeld = false, answerText }: CardChange,
): readonly WaitingCard[] {
  const current = new Map(waiting.map((each) => [cardKey(each), each]));
  const stayed = cards.flatMap(({ waiting: old, answered }): readonly WaitingCard[] => {
    const fresh = current.get(cardKey(old));
    current.delete(cardKey(old));
    if (fresh !== undefined) return [{ waiting: fresh, answered: undefined }];
    if (answered === undefined)
      return [{ waiting: old, answered: { text: answerText(old), leavesAt: now + CARD_STAYS_MS } }];
    return isHeld || answered.leavesAt > now ? [{ waiting: old, answered }] : [];
  });
  return [...stayed, ...[...current.values()].map((each) => ({ waiting: each, answered: undefined }))];
}

/** How many cards a change has marked as answered. */
export function newAnswers(before: readonly WaitingCard[], after: readonly WaitingCard[]): number {
  const marks = new Set(before.map(({ answered }) => answered));
  return after.filter(({ answered }) => answered !== undefined && !marks.has(answered)).length;
}

/** The card to select after one was answered: the next open one behind it, else the first. */
export function nextOpenCard(cards: readonly WaitingCard[], answeredKey: string): string | undefined {
  const isOpen = ({ waiting, answered }: WaitingCard) => answered === undefined && cardKey(waiting) !== answeredKey;
  const place = cards.findIndex(({ waiting }) => cardKey(waiting) === answeredKey);
  const next = cards.slice(place + 1).find(isOpen) ?? cards.find(isOpen);
  return next === undefined ? undefined : cardKey(next.waiting);
}

/** What tells cards apart: ids are unique within a run. */
export function cardKey({ runId, id }: Pick<Waiting, "runId" | "id">): string {
  return `${runId}/${id}`;
}

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
  /** What came of a question that does not wait any more, as a sentence. */
  readonly answerText: (waiting: Waiting) => string;
}

/** The cards after a change. They keep their places, so that no other card comes under the pointer; new ones follow. */
export function changedCards(
  cards: readonly WaitingCard[],
  { waiting, now, answerText }: CardChange,
): readonly WaitingCard[] {
  const current = new Map(waiting.map((each) => [cardKey(each), each]));
  const stayed = cards.flatMap(({ waiting: old, answered }): readonly WaitingCard[] => {
    const fresh = current.get(cardKey(old));
    current.delete(cardKey(old));
    if (fresh !== undefined) return [{ waiting: fresh, answered: undefined }];
    if (answered === undefined)
      return [{ waiting: old, answered: { text: answerText(old), leavesAt: now + CARD_STAYS_MS } }];
    return answered.leavesAt > now ? [{ waiting: old, answered }] : [];
  });
  return [...stayed, ...[...current.values()].map((each) => ({ waiting: each, answered: undefined }))];
}

/** What tells cards apart: ids are unique within a run. */
export function cardKey({ runId, id }: Pick<Waiting, "runId" | "id">): string {
  return `${runId}/${id}`;
}

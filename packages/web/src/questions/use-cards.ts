import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "../app/live.ts";
import { overview } from "../app/overview.ts";
import type { StreamMessage, Waiting } from "../contract/index.ts";
import { clock } from "../format/times.ts";
import { type AnswerNews, answerNews } from "./answer-words.ts";
import { cardKey, changedCards, newAnswers, type WaitingCard } from "./waiting-cards.ts";

interface Shown {
  readonly cards: readonly WaitingCard[];
  readonly answers: number;
}

/** The cards of everything that waits, with those that were just answered, here or elsewhere. */
export function useCards(): {
  readonly cards: readonly WaitingCard[];
  /** How many of them were answered since the page is open. */
  readonly answers: number;
  readonly onAnswered: (key: string, text: string) => void;
  /** For the element around the cards: answered ones stay while the pointer is over it, so that nothing moves there. */
  readonly hold: { readonly onPointerEnter: () => void; readonly onPointerLeave: () => void };
} {
  const waiting = overview.value?.waiting;
  const [{ cards, answers }, setShown] = useState<Shown>(() => ({
    cards: waiting?.map((each) => ({ waiting: each, answered: undefined })) ?? [],
    answers: 0,
  }));
  const ownAnswers = useRef(new Map<string, string>());
  const news = useRef(new Map<string, AnswerNews>());
  useLive(
    useCallback((message: StreamMessage) => {
      if (message.type !== "events") return;
      for (const event of message.events) {
        const answer = answerNews(event);
        if (answer !== undefined) news.current.set(cardKey(answer), answer);
      }
    }, []),
  );
  const answerText = useCallback((answered: Waiting) => {
    const key = cardKey(answered);
    return ownAnswers.current.get(key) ?? newsText(news.current.get(key));
  }, []);
  const [isHeld, setHeld] = useState(false);
  const update = useCallback(() => {
    if (waiting === undefined) return;
    setShown((before) => {
      const changed = changedCards(before.cards, { waiting, now: Date.now(), isHeld, answerText });
      return { cards: changed, answers: before.answers + newAnswers(before.cards, changed) };
    });
  }, [waiting, isHeld]);
  useEffect(update, [update]);

  const nextLeave = Math.min(...cards.flatMap(({ answered }) => answered?.leavesAt ?? []));
  useEffect(() => {
    if (!Number.isFinite(nextLeave) || isHeld) return;
    const timer = setTimeout(update, Math.max(0, nextLeave - Date.now()) + 20);
    return () => clearTimeout(timer);
  }, [nextLeave, isHeld, update]);

  const onAnswered = useCallback((key: string, text: string) => {
    ownAnswers.current.set(key, text);
    setShown((before) => ({ ...before, answers: before.answers + 1 })); // at once; the card is marked a moment later
  }, []);
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  return { cards, answers, onAnswered, hold };
}

function newsText(answer: AnswerNews | undefined): string {
  if (answer === undefined) return `It does not wait any more, since ${clock(Date.now())}.`;
  if (answer.answer === undefined) return `No answer came in time, ${clock(answer.at)}.`;
  return `Answered elsewhere at ${clock(answer.at)}: ${answer.answer}.`;
}

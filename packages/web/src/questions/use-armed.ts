import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isInView } from "./is-in-view.ts";

/** How long a card is in view before its answers act. */
const ARM_MS = 1_500;
/** The shares of a card at which the browser reports how much of it is visible. */
const SHARES = Array.from({ length: 11 }, (_, index) => index / 10);

interface Arming {
  /** The person has chosen the card. */
  readonly isChosen: boolean;
  /** How many questions were answered so far. Each answer disarms all cards. */
  readonly answers: number;
}

/**
 * Whether the answers of a card act: the person has chosen it, or it was in view for a moment since the last answer. A
 * press that was meant for a card that has just been answered answers no other one.
 */
export function useArmed(card: RefObject<HTMLElement | null>, { isChosen, answers }: Arming): boolean {
  const [armedAt, setArmedAt] = useState(-1); // the number of answers
  useEffect(() => {
    const { current } = card;
    if (current === null) return;
    let timer: number | undefined;
    const observer = new IntersectionObserver(
      () => {
        const isSeen = isInView(current);
        if (isSeen) timer ??= window.setTimeout(() => setArmedAt(answers), ARM_MS);
        if (isSeen) return;
        window.clearTimeout(timer);
        timer = undefined;
        setArmedAt(-1);
      },
      { threshold: SHARES },
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      window.clearTimeout(timer);
    };
  }, [answers]);
  return isChosen || armedAt === answers;
}

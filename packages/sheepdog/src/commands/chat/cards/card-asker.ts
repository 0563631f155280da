import type { Ask, RuntimeOptions } from "@sheepdog/agent";
import { approvalCard } from "./approval-card.ts";
import type { CardAnswer, Card } from "./card.ts";
import { callKey } from "./same-call.ts";

/** Where questions are shown. */
interface CardBoard {
  show(card: Card): void;
  /** Nobody waits for an answer any more. */
  withdraw(id: string): void;
  /** A call is allowed because somebody has said so for all like it. */
  allowed(title: string): void;
}

/** Asks a person by cards. Whoever shows them joins later. */
export interface CardAsker {
  readonly approve: NonNullable<RuntimeOptions["approve"]>;
  readonly ask: Ask;
  connect(board: CardBoard): void;
  answer(id: string, answer: CardAnswer): void;
  /** What was allowed for a session holds for that one only. */
  resetAllowed(): void;
}

/** Begins with nothing allowed. */
export function createCardAsker(workspace: string): CardAsker {
  const always = new Set<string>();
  const waiting = new Map<string, (answer: CardAnswer | undefined) => void>();
  let board: CardBoard | undefined;
  let cards = 0;

  const newCardId = () => {
    cards += 1;
    return `card-${cards}`;
  };

  const put = (card: Card, signal: AbortSignal): Promise<CardAnswer | undefined> =>
    new Promise((resolve) => {
      const settle = (answer: CardAnswer | undefined) => {
        if (!waiting.delete(card.id)) return;
        signal.removeEventListener("abort", withdraw);
        resolve(answer);
      };
      const withdraw = () => {
        board?.withdraw(card.id);
        settle(undefined);
      };
      waiting.set(card.id, settle);
      if (signal.aborted || board === undefined) return withdraw();
      signal.addEventListener("abort", withdraw, { once: true });
      board.show(card);
    });

  return {
    async approve(call, reason, signal) {
      const same = callKey(call);
      const card: Card = { ...(await approvalCard(call, reason, workspace)), id: newCardId() }; // calls of two agents may share theirs
      if (always.has(same)) {
        board?.allowed(card.title);
        return { isAllowed: true };
      }
      const answer = await put(card, signal);
      if (answer?.type !== "approval") return { isAllowed: false, reason: "there was no answer" };
      if (answer.isAlways && answer.approval.isAllowed) always.add(same);
      const { isAllowed, reason: why } = answer.approval;
      return isAllowed
        ? { isAllowed }
        : { isAllowed, reason: why === undefined ? "the person said no" : `the person said no: ${why}` };
    },
    async ask({ text, choices }, signal) {
      const answer = await put({ type: "question", id: newCardId(), text, choices }, signal);
      return answer?.type === "question" ? answer.text : undefined;
    },
    connect(joined) {
      board = joined;
    },
    answer: (id, answer) => waiting.get(id)?.(answer),
    resetAllowed: () => always.clear(),
  };
}

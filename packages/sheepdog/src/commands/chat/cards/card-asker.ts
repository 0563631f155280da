import { type Ask, type AskAboutRun, type GateRule, type RuntimeOptions, ruleText } from "@sheepdog/agent";
import type { PermissionRules } from "../../../compose/permission-rules.ts";
import { callKey } from "../../../control/index.ts";
import { refusal } from "../../../control/refusal.ts";
import { continueChoice, questionStatus } from "../../../render/timeline/run-question.ts";
import { approvalCard } from "./approval-card.ts";
import type { Card, CardAnswer } from "./card.ts";

/** Shows cards to the user. */
interface CardBoard {
  show(card: Card): void;
  /** Removes a card that needs no answer any more. */
  withdraw(id: string): void;
  /** Reports a call that is allowed because the user chose "always" earlier. */
  allowed(title: string): void;
  /** Shows a sentence. */
  say(sentence: string): void;
}

/** Asks the user with cards. The board is connected later, because the agent is opened before the chat. */
export interface CardAsker {
  readonly approve: NonNullable<RuntimeOptions["approve"]>;
  readonly ask: Ask;
  readonly askAboutRun: AskAboutRun;
  readonly alwaysAllowed: Set<string>;
  connect(board: CardBoard): void;
  /** Shows a sentence. */
  say(sentence: string): void;
  answer(id: string, answer: CardAnswer): void;
  /** Removes all "always" answers; they apply to one session only. */
  resetAllowed(): void;
}

/** Creates an asker that allows nothing yet. */
export function createCardAsker(workspace: string, rules: PermissionRules): CardAsker {
  const alwaysAllowed = new Set<string>();
  const waiting = new Map<string, (answer: CardAnswer | undefined) => void>();
  let board: CardBoard | undefined;
  let cardCount = 0;

  // The ids of calls are not unique: two agents may use the same one.
  const newCardId = () => {
    cardCount += 1;
    return `card-${cardCount}`;
  };

  const showCard = (card: Card, signal: AbortSignal): Promise<CardAnswer | undefined> =>
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

  const writeRule = async (rule: GateRule) => {
    const problem = await rules.allowAlways(rule);
    board?.say(
      problem === undefined
        ? `The rule ${ruleText(rule)} is in ${rules.file} and applies from now on.`
        : `The call is allowed once. The rule was not written: ${problem}`,
    );
  };

  return {
    alwaysAllowed,
    async approve(call, reason, signal, rule) {
      const key = callKey(call);
      const card: Card = {
        ...(await approvalCard(call, reason, workspace)),
        id: newCardId(),
        ...(rule === undefined ? {} : { rule: ruleText(rule) }),
      };
      if (alwaysAllowed.has(key)) {
        board?.allowed(card.title);
        return { isAllowed: true };
      }
      const answer = await showCard(card, signal);
      if (answer?.type !== "approval") return { isAllowed: false, isUnanswered: true, reason: "there was no answer" };
      if (answer.isAlways && answer.approval.isAllowed) alwaysAllowed.add(key);
      const { isAllowed, reason: why } = answer.approval;
      if (isAllowed && answer.isRule && rule !== undefined) await writeRule(rule);
      if (isAllowed) return { isAllowed };
      return { isAllowed, ...refusal(why) };
    },
    async ask({ text, choices }, signal) {
      const answer = await showCard({ type: "question", id: newCardId(), text, choices }, signal);
      return answer?.type === "question" ? answer.text : undefined;
    },
    async askAboutRun(question, signal) {
      const { problem } = question;
      const card: Card = {
        type: "run",
        id: newCardId(),
        ...(problem === undefined ? {} : { problem }),
        status: questionStatus(question),
        continueChoice: continueChoice(question),
      };
      const answer = await showCard(card, signal);
      return answer?.type === "run" ? answer.answer : undefined;
    },
    connect(connected) {
      board = connected;
    },
    say: (sentence) => board?.say(sentence),
    answer: (id, answer) => waiting.get(id)?.(answer),
    resetAllowed: () => alwaysAllowed.clear(),
  };
}

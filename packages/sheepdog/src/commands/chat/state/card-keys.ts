import type { ApprovalCard, Card, CardAnswer, QuestionCard, RunCard } from "../cards/card.ts";
import { type Editor, editorWith, emptyEditor } from "../editor/editor.ts";
import type { Key } from "../editor/key.ts";
import type { ChatState } from "./chat-state.ts";
import { applyKey } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** Handles a key while a card is shown. The text at the prompt stays. */
export function cardKey(state: ChatState, card: Card, key: Key): Transition {
  if (key.type === "press" && key.name === "escape") return escapeKey(state);
  switch (card.type) {
    case "approval":
      return approvalKey(state, card, key);
    case "question":
      return questionKey(state, card, key);
    case "run":
      return runKey(state, card, key);
    default:
      return card satisfies never;
  }
}

/** Leaves the rule, the reason of a refusal or the message; otherwise stops the run, which withdraws the card. */
function escapeKey(state: ChatState): Transition {
  if (state.ruleShownOn !== undefined && state.ruleShownOn === state.cards[0]?.id) {
    const { ruleShownOn: _, ...rest } = state;
    return transition(rest);
  }
  if (state.reply !== undefined && state.cards[0]?.type !== "question") {
    const { reply: _, ...rest } = state;
    return transition(rest);
  }
  return state.run === undefined
    ? transition(state)
    : transition({ ...state, run: { ...state.run, isStopping: true }, hint: "Stopping the run." }, { type: "stop" });
}

function approvalKey(state: ChatState, { id, rule }: ApprovalCard, key: Key): Transition {
  const decide = (isAllowed: boolean, isAlways = false, reason?: string) =>
    answered(state, id, {
      type: "approval",
      approval: { isAllowed, ...(reason === undefined ? {} : { reason }) },
      isAlways,
    });
  if (state.reply !== undefined) {
    const reason = state.reply.text.trim();
    return key.type === "press" && key.name === "enter"
      ? decide(false, false, reason === "" ? undefined : reason)
      : typed(state, state.reply, key);
  }
  if (key.type === "press") return transition(state);
  if (state.ruleShownOn === id) return ruleKey(state, id, key);
  switch (key.type === "paste" ? "" : key.text.toLowerCase()) {
    case "r":
      if (rule === undefined) return transition({ ...state, hint: "There is no rule for this call." });
      return transition({ ...state, ruleShownOn: id });
    case "y":
      return decide(true);
    case "a":
      return decide(true, true);
    case "n":
      return decide(false);
    case "d":
      return transition({ ...state, reply: emptyEditor });
    default:
      return transition({ ...state, hint: "Press y, a, n or d to answer; Esc stops the run." });
  }
}

/** Only `w` writes the rule; any other key goes back. */
function ruleKey(state: ChatState, id: string, key: Key): Transition {
  const { ruleShownOn: _, ...rest } = state;
  if (key.type !== "text" || key.text.toLowerCase() !== "w") return transition(rest);
  return answered(rest, id, { type: "approval", approval: { isAllowed: true }, isAlways: false, isRule: true });
}

/** A number selects a choice while the reply is empty; any other text is an answer in words. */
function questionKey(state: ChatState, { id, choices }: QuestionCard, key: Key): Transition {
  const reply = state.reply ?? emptyEditor;
  const choice = key.type === "text" && reply.text === "" ? choices[Number(key.text) - 1] : undefined;
  if (choice !== undefined) return answered(state, id, { type: "question", text: choice });
  if (key.type !== "press" || key.name !== "enter") return typed(state, reply, key);
  const text = reply.text.trim();
  return answered(state, id, { type: "question", text: text === "" ? undefined : text });
}

function runKey(state: ChatState, { id }: RunCard, key: Key): Transition {
  if (state.reply !== undefined) {
    const text = state.reply.text.trim();
    if (key.type !== "press" || key.name !== "enter") return typed(state, state.reply, key);
    return text === "" ? transition(state) : answered(state, id, { type: "run", answer: { type: "tell", text } });
  }
  if (key.type === "press") return transition(state);
  switch (key.type === "paste" ? "" : key.text.toLowerCase()) {
    case "s":
      return answered(state, id, { type: "run", answer: { type: "stop" } });
    case "c":
      return answered(state, id, { type: "run", answer: { type: "continue" } });
    case "t":
      return transition({ ...state, reply: emptyEditor });
    default:
      return transition({ ...state, hint: "Press s, c or t to answer; Esc stops the run." });
  }
}

function typed(state: ChatState, reply: Editor, key: Key): Transition {
  return transition({ ...state, reply: applyKey(reply, key, { isOneLine: true }) ?? editorWith(reply.text) });
}

/** Removes the card at once. The next card waits for a pause, so that the same key cannot answer it by mistake. */
function answered(state: ChatState, id: string, answer: CardAnswer): Transition {
  const { reply: _, ...rest } = state;
  return transition(
    { ...rest, isCardReady: false, cards: state.cards.filter((card) => card.id !== id) },
    { type: "answer", id, answer },
  );
}

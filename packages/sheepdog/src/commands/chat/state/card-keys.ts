import type { CardAnswer, ApprovalCard, Card, QuestionCard } from "../cards/card.ts";
import { type Editor, editorWith, emptyEditor } from "../editor/editor.ts";
import type { Key } from "../editor/key.ts";
import type { ChatState } from "./chat-state.ts";
import { applyKey } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** Keys while the agent asks something. What was written at the prompt stays. */
export function cardKey(state: ChatState, card: Card, key: Key): Transition {
  if (key.type === "press" && key.name === "escape") return escaped(state);
  return card.type === "approval" ? approvalKey(state, card, key) : questionKey(state, card, key);
}

/** Back from writing a reason; else the run is stopped, and so the question is gone. */
function escaped(state: ChatState): Transition {
  if (state.reply !== undefined && state.cards[0]?.type === "approval") {
    const { reply: _, ...rest } = state;
    return transition(rest);
  }
  return state.run === undefined
    ? transition(state)
    : transition({ ...state, run: { ...state.run, isStopping: true }, hint: "Stopping in good order." }, { type: "stop" });
}

function approvalKey(state: ChatState, { id }: ApprovalCard, key: Key): Transition {
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
  switch (key.type === "paste" ? "" : key.text.toLowerCase()) {
    case "y":
      return decide(true);
    case "a":
      return decide(true, true);
    case "n":
      return decide(false);
    case "d":
      return transition({ ...state, reply: emptyEditor });
    default:
      return transition({ ...state, hint: "y, a, n or d answers the question; Esc stops the run." });
  }
}

/** A number chooses, as long as nothing else is written; own words are always possible. */
function questionKey(state: ChatState, { id, choices }: QuestionCard, key: Key): Transition {
  const reply = state.reply ?? emptyEditor;
  const chosen = key.type === "text" && reply.text === "" ? choices[Number(key.text) - 1] : undefined;
  if (chosen !== undefined) return answered(state, id, { type: "question", text: chosen });
  if (key.type !== "press" || key.name !== "enter") return typed(state, reply, key);
  const text = reply.text.trim();
  return answered(state, id, { type: "question", text: text === "" ? undefined : text });
}

function typed(state: ChatState, reply: Editor, key: Key): Transition {
  return transition({ ...state, reply: applyKey(reply, key, { isOneLine: true }) ?? editorWith(reply.text) });
}

/** The card goes at once, and the next one waits for a pause: no second key answers it by mistake. */
function answered(state: ChatState, id: string, answer: CardAnswer): Transition {
  const { reply: _, ...rest } = state;
  return transition(
    { ...rest, isCardReady: false, cards: state.cards.filter((card) => card.id !== id) },
    { type: "answer", id, answer },
  );
}

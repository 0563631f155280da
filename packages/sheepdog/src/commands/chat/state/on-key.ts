import { emptyEditor } from "../editor/editor.ts";
import type { Key } from "../editor/key.ts";
import { cardKey } from "./card-keys.ts";
import type { ChatState } from "./chat-state.ts";
import { evidenceKey } from "./evidence-keys.ts";
import { promptKey } from "./prompt-keys.ts";
import { sessionsKey } from "./sessions-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** What a key does depends on what is open: a card, a panel, or the prompt. */
export function onKey(before: ChatState, key: Key, at: number): Transition {
  const { hint: _, ...shown } = before;
  const state: ChatState = { ...shown, keyAt: at };
  if (key.type === "press" && key.name === "ctrl-c") return interrupt(state);
  const [card] = state.cards;
  if (card !== undefined && (state.isCardReady || (key.type === "press" && key.name === "escape")))
    return calm(cardKey(state, card, key));
  if (state.panel?.type === "sessions") return calm(sessionsKey(state, state.panel, key));
  if (state.panel?.type === "evidence") return calm(evidenceKey(state, state.panel, key));
  return calm(promptKey(state, key));
}

/** Any other key means that nobody wants to leave. */
function calm({ state, effects }: Transition): Transition {
  return { state: { ...state, isLeaveAsked: false }, effects };
}

/** Closes what is open, stops a run, empties the prompt; the second time in a row it leaves. */
function interrupt(state: ChatState): Transition {
  if (state.isLeaveAsked) return transition(state, { type: "leave" });
  const asked: ChatState = { ...state, isLeaveAsked: true };
  if (state.run !== undefined)
    return transition(
      {
        ...asked,
        run: { ...state.run, isStopping: true },
        hint: "Stopping in good order. Ctrl-C again leaves at once.",
      },
      { type: "stop" },
    );
  if (state.panel !== undefined) return transition(without(asked, "panel"));
  if (state.editor.text !== "") return thrownAway(asked);
  return transition({ ...asked, hint: "Ctrl-C again leaves." });
}

/** It can be had again by Up. */
function thrownAway(state: ChatState): Transition {
  const { text } = state.editor;
  const history = [...state.history, text];
  return transition(
    { ...without(state, "recalled"), history, editor: emptyEditor, hint: "Ctrl-C again leaves." },
    { type: "remember", text },
  );
}

function without<K extends "panel" | "recalled">(state: ChatState, key: K): ChatState {
  const { [key]: _, ...rest } = state;
  return rest as ChatState; // both may be absent
}

import { emptyEditor } from "../editor/editor.ts";
import type { Key } from "../editor/key.ts";
import { expandPastes } from "../editor/pastes.ts";
import { cardKey } from "./card-keys.ts";
import type { ChatState } from "./chat-state.ts";
import { evidenceKey } from "./evidence-keys.ts";
import { promptKey } from "./prompt-keys.ts";
import { sessionsKey } from "./sessions-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** Handles a key. Its meaning depends on what is open: a card, a panel, or the prompt. */
export function onKey(previous: ChatState, key: Key, at: number): Transition {
  const { hint: _, ...rest } = previous;
  const state: ChatState = { ...rest, keyAt: at };
  if (key.type === "press" && key.name === "ctrl-c") return interrupt(state);
  return withoutLeaveRequest(openKey(state, key));
}

function openKey(state: ChatState, key: Key): Transition {
  const [card] = state.cards;
  if (card !== undefined && (state.isCardReady || (key.type === "press" && key.name === "escape")))
    return cardKey(state, card, key);
  if (state.panel?.type === "sessions") return sessionsKey(state, state.panel, key);
  if (state.panel?.type === "evidence") return evidenceKey(state, state.panel, key);
  return promptKey(state, key);
}

function withoutLeaveRequest({ state, effects }: Transition): Transition {
  return { state: { ...state, isLeaveRequested: false }, effects };
}

/** Stops the run, closes the panel or clears the prompt. The second time in a row, it leaves. */
function interrupt(state: ChatState): Transition {
  if (state.isLeaveRequested) return transition(state, { type: "leave" });
  const requested: ChatState = { ...state, isLeaveRequested: true };
  if (state.run !== undefined)
    return transition(
      {
        ...requested,
        run: { ...state.run, isStopping: true },
        hint: "Stopping the run. Press Ctrl-C again to leave now.",
      },
      { type: "stop" },
    );
  if (state.panel !== undefined) return transition(without(requested, "panel"));
  if (state.editor.text !== "") return clearPrompt(requested);
  return transition({ ...requested, hint: "Press Ctrl-C again to leave." }, { type: "stop" });
}

/** The text goes to the history, so that Up restores it. */
function clearPrompt(state: ChatState): Transition {
  const text = expandPastes(state.editor.text, state.pastes);
  const history = [...state.history, text];
  return transition(
    { ...without(state, "recalled"), history, editor: emptyEditor, pastes: [], hint: "Press Ctrl-C again to leave." },
    { type: "remember", text },
  );
}

function without<K extends "panel" | "recalled">(state: ChatState, key: K): ChatState {
  const { [key]: _, ...rest } = state;
  return rest as ChatState; // both keys are optional
}

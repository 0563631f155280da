import { complete, parseCommand } from "../commands/commands.ts";
import { type Editor, edit, editorWith, emptyEditor, insert, MAX_TEXT_LENGTH, moveLine } from "../editor/editor.ts";
import type { Key, KeyName } from "../editor/key.ts";
import { expandPastes, signFor, withoutSigns } from "../editor/pastes.ts";
import { typedCommand } from "../typed-command.ts";
import type { ChatState } from "./chat-state.ts";
import { applyKey, typedText } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** Handles a key at the prompt. */
export function promptKey(state: ChatState, key: Key): Transition {
  if (key.type === "press") {
    const next = commandKey(state, key.name);
    if (next !== undefined) return next;
  }
  if (key.type === "paste") return paste(state, key.text);
  const edited = applyKey(state.editor, key);
  if (edited === undefined) return transition(state);
  return transition(withEditor(state, edited));
}

/** A long paste is shown as a sign. */
function paste(state: ChatState, pastedText: string): Transition {
  const { editor, pastes } = state;
  const text = withoutSigns(typedText(pastedText)).slice(0, MAX_TEXT_LENGTH);
  const sign = signFor(text, pastes);
  const edited = insert(editor, sign ?? text);
  const isCut = edited.text.length >= MAX_TEXT_LENGTH || text.length >= MAX_TEXT_LENGTH;
  return transition({
    ...withEditor(state, edited),
    ...(sign === undefined ? {} : { pastes: [...pastes, text] }),
    ...(isCut ? { hint: "The text was too long and was cut. Put it into a file and name the file." } : {}),
  });
}

/** Undefined for keys that only edit the text. */
function commandKey(state: ChatState, name: KeyName): Transition | undefined {
  switch (name) {
    case "enter":
      return enter(state);
    case "alt-enter":
    case "ctrl-s":
      return steer(state);
    case "escape":
      return state.run === undefined
        ? transition(state, { type: "stop" })
        : transition(
            { ...state, run: { ...state.run, isStopping: true }, hint: "Stopping the run." },
            { type: "stop" },
          );
    case "tab":
      return transition(withEditor(state, editorWith(complete(state.editor.text))));
    case "up":
      return up(state);
    case "down":
      return down(state);
    case "ctrl-g":
      return state.interventions.length === 0
        ? transition({ ...state, hint: "The guardian has not intervened yet." })
        : transition(state, { type: "show-evidence" });
    case "ctrl-l":
      return transition(state, { type: "command", name: "clear", argument: "" });
    case "ctrl-d":
      return state.editor.text === "" && state.run === undefined ? transition(state, { type: "leave" }) : undefined;
    default:
      return undefined;
  }
}

/** A changed text no longer belongs to the history. */
function withEditor(state: ChatState, editor: Editor): ChatState {
  const { recalled, ...rest } = state;
  return editor.text === state.editor.text && recalled !== undefined ? { ...state, editor } : { ...rest, editor };
}

function withEmptyEditor(state: ChatState): ChatState {
  return { ...withEditor(state, emptyEditor), editor: emptyEditor, pastes: [] };
}

/** Sends the text: a command of the chat or the shell, a prompt, or a prompt for the queue. */
function enter(state: ChatState): Transition {
  const { editor, queue } = state;
  if (editor.text[editor.cursor - 1] === "\\")
    return transition(withEditor(state, insert(edit(editor, "backspace"), "\n")));
  const text = expandPastes(editor.text, state.pastes).trim();
  if (text === "") return sendQueued(state);
  const command = parseCommand(text);
  if (command?.type === "unknown")
    return transition({ ...withEmptyEditor(state), history: [...state.history, text], hint: command.sentence });
  if (command !== undefined) return transition(withEmptyEditor(state), { type: "remember", text }, command);
  const sent = { ...withEmptyEditor(state), history: [...state.history, text] };
  const isPrompt = typedCommand(text) === undefined;
  if (state.run !== undefined && isPrompt)
    return transition({ ...sent, queue: [...queue, text] }, { type: "remember", text });
  return transition(sent, { type: "remember", text }, { type: "prompt", text });
}

/** Enter at an empty prompt sends the next prompt of the queue. */
function sendQueued(state: ChatState): Transition {
  const [next, ...queue] = state.queue;
  if (state.run !== undefined || next === undefined) return transition(withEmptyEditor(state));
  return transition({ ...withEmptyEditor(state), queue }, { type: "prompt", text: next });
}

/** Sends the text to the current run; at an empty prompt, the newest text of the queue. */
function steer(state: ChatState): Transition {
  const typed = expandPastes(state.editor.text, state.pastes).trim();
  if (parseCommand(typed) !== undefined) return enter(state);
  const text = typed === "" ? state.queue.at(-1) : typed;
  if (text === undefined)
    return transition(state.run === undefined ? state : { ...state, hint: "Type a message for the agent first." });
  if (state.run === undefined) return enter(state);
  const sent: ChatState =
    typed === ""
      ? { ...state, queue: state.queue.slice(0, -1) }
      : { ...withEmptyEditor(state), history: [...state.history, text] };
  return transition(sent, ...(typed === "" ? [] : [{ type: "remember", text } as const]), { type: "steer", text });
}

/** Moves a line up; from the first line, back through the history. At an empty prompt, takes back the queue first. */
function up(state: ChatState): Transition {
  const { editor, queue, history, recalled } = state;
  const moved = moveLine(editor, -1);
  if (moved !== undefined) return transition({ ...state, editor: moved });
  const newestQueued = queue.at(-1);
  if (editor.text === "" && newestQueued !== undefined)
    return transition({
      ...state,
      queue: queue.slice(0, -1),
      isQueueHeld: state.isQueueHeld && queue.length > 1,
      editor: editorWith(newestQueued),
    });
  const index = (recalled?.index ?? history.length) - 1;
  const earlierText = history[index];
  if (earlierText === undefined) return transition(state);
  const unsent = recalled?.unsent ?? editor.text;
  return transition({ ...state, editor: editorWith(earlierText), recalled: { index, unsent } });
}

/** Moves a line down; from the last line, forward through the history to the unsent text. */
function down(state: ChatState): Transition {
  const { editor, history, recalled } = state;
  const moved = moveLine(editor, 1);
  if (moved !== undefined) return transition({ ...state, editor: moved });
  if (recalled === undefined) return transition(state);
  const index = recalled.index + 1;
  const laterText = history[index];
  if (laterText !== undefined)
    return transition({ ...state, editor: editorWith(laterText), recalled: { ...recalled, index } });
  const { recalled: _, ...rest } = state;
  return transition({ ...rest, editor: editorWith(recalled.unsent) });
}

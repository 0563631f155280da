import { complete, parseCommand } from "../commands/commands.ts";
import { type Editor, edit, editorWith, emptyEditor, insert, MAX_TEXT_LENGTH, moveLine } from "../editor/editor.ts";
import type { Key, KeyName } from "../editor/key.ts";
import type { ChatState } from "./chat-state.ts";
import { applyKey } from "./edit-keys.ts";
import { type Transition, transition } from "./transition.ts";

/** Keys at the prompt. */
export function promptKey(state: ChatState, key: Key): Transition {
  if (key.type === "press") {
    const done = pressed(state, key.name);
    if (done !== undefined) return done;
  }
  const edited = applyKey(state.editor, key);
  if (edited === undefined) return transition(state);
  const isCut = key.type === "paste" && edited.text.length >= MAX_TEXT_LENGTH;
  return transition({
    ...written(state, edited),
    ...(isCut ? { hint: "That is too long, and was cut: put it into a file and name that." } : {}),
  });
}

function pressed(state: ChatState, name: KeyName): Transition | undefined {
  switch (name) {
    case "enter":
      return enter(state);
    case "alt-enter":
    case "ctrl-s":
      return steer(state);
    case "escape":
      return state.run === undefined
        ? transition(state)
        : transition(
            { ...state, run: { ...state.run, isStopping: true }, hint: "Stopping in good order." },
            { type: "stop" },
          );
    case "tab":
      return transition(written(state, editorWith(complete(state.editor.text))));
    case "up":
      return up(state);
    case "down":
      return down(state);
    case "ctrl-g":
      return state.interventions.length === 0
        ? transition({ ...state, hint: "The guardian has said nothing yet." })
        : transition(state, { type: "show-evidence" });
    case "ctrl-l":
      return transition(state, { type: "command", name: "clear", argument: "" });
    case "ctrl-d":
      return state.editor.text === "" && state.run === undefined ? transition(state, { type: "leave" }) : undefined;
    default:
      return undefined;
  }
}

function written(state: ChatState, editor: Editor): ChatState {
  const { recalled, ...rest } = state;
  return editor.text === state.editor.text && recalled !== undefined ? { ...state, editor } : { ...rest, editor };
}

function emptied(state: ChatState): ChatState {
  return { ...written(state, emptyEditor), editor: emptyEditor };
}

/** Sends what is written: a command, a prompt, or one for after this run. */
function enter(state: ChatState): Transition {
  const { editor, queue } = state;
  if (editor.text[editor.cursor - 1] === "\\") return transition(written(state, insert(edit(editor, "backspace"), "\n")));
  const text = editor.text.trim();
  if (text === "") return sendHeld(state);
  const command = parseCommand(text);
  if (command?.type === "unknown") return transition({ ...state, hint: command.sentence });
  if (command !== undefined) return transition(emptied(state), { type: "remember", text }, command);
  const sent = { ...emptied(state), history: [...state.history, text] };
  if (state.run !== undefined) return transition({ ...sent, queue: [...queue, text] }, { type: "remember", text });
  return transition(sent, { type: "remember", text }, { type: "prompt", text });
}

/** An empty Enter sends what waits. */
function sendHeld(state: ChatState): Transition {
  const [next, ...queue] = state.queue;
  if (state.run !== undefined || next === undefined) return transition(emptied(state));
  return transition({ ...emptied(state), queue }, { type: "prompt", text: next });
}

/** Says it to the run that goes on; the newest of the queue where nothing is written. */
function steer(state: ChatState): Transition {
  const written = state.editor.text.trim();
  const text = written === "" ? state.queue.at(-1) : written;
  if (text === undefined)
    return transition(state.run === undefined ? state : { ...state, hint: "Write something to say to the agent first." });
  if (state.run === undefined) return enter(state);
  const sent: ChatState =
    written === ""
      ? { ...state, queue: state.queue.slice(0, -1) }
      : { ...emptied(state), history: [...state.history, text] };
  return transition(sent, ...(written === "" ? [] : [{ type: "remember", text } as const]), { type: "steer", text });
}

/** A line up; from the first one back through what was sent. From an empty prompt the queue is taken back first. */
function up(state: ChatState): Transition {
  const { editor, queue, history, recalled } = state;
  const moved = moveLine(editor, -1);
  if (moved !== undefined) return transition({ ...state, editor: moved });
  const newest = queue.at(-1);
  if (editor.text === "" && newest !== undefined)
    return transition({
      ...state,
      queue: queue.slice(0, -1),
      isQueueHeld: state.isQueueHeld && queue.length > 1,
      editor: editorWith(newest),
    });
  const at = (recalled?.at ?? history.length) - 1;
  const found = history[at];
  if (found === undefined) return transition(state);
  return transition({ ...state, editor: editorWith(found), recalled: { at, draft: recalled?.draft ?? editor.text } });
}

function down(state: ChatState): Transition {
  const { editor, history, recalled } = state;
  const moved = moveLine(editor, 1);
  if (moved !== undefined) return transition({ ...state, editor: moved });
  if (recalled === undefined) return transition(state);
  const at = recalled.at + 1;
  const found = history[at];
  if (found !== undefined) return transition({ ...state, editor: editorWith(found), recalled: { ...recalled, at } });
  const { recalled: _, ...rest } = state;
  return transition({ ...rest, editor: editorWith(recalled.draft) });
}

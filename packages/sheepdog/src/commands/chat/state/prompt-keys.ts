import { complete, parseCommand } from "../commands/commands.ts";
import { type Editor, edit, editorWith, emptyEditor, insert, LONGEST, moveLine } from "../editor/editor.ts";
import type { Key, KeyName } from "../editor/key.ts";
import type { ChatState } from "./chat-state.ts";
import { editedBy } from "./edit-keys.ts";
import { type Step, step } from "./step.ts";

/** Keys at the prompt. */
export function promptKey(state: ChatState, key: Key): Step {
  if (key.type === "press") {
    const done = pressed(state, key.name);
    if (done !== undefined) return done;
  }
  const edited = editedBy(state.editor, key);
  if (edited === undefined) return step(state);
  const isCut = key.type === "paste" && edited.text.length >= LONGEST;
  return step({
    ...written(state, edited),
    ...(isCut ? { hint: "That is too long, and was cut: put it into a file and name that." } : {}),
  });
}

function pressed(state: ChatState, name: KeyName): Step | undefined {
  switch (name) {
    case "enter":
      return enter(state);
    case "alt-enter":
    case "ctrl-s":
      return steer(state);
    case "escape":
      return state.run === undefined
        ? step(state)
        : step(
            { ...state, run: { ...state.run, isStopping: true }, hint: "Stopping in good order." },
            { type: "stop" },
          );
    case "tab":
      return step(written(state, editorWith(complete(state.editor.text))));
    case "up":
      return up(state);
    case "down":
      return down(state);
    case "ctrl-g":
      return state.interventions.length === 0
        ? step({ ...state, hint: "The guardian has said nothing yet." })
        : step(state, { type: "show-evidence" });
    case "ctrl-l":
      return step(state, { type: "command", name: "clear", argument: "" });
    case "ctrl-d":
      return state.editor.text === "" && state.run === undefined ? step(state, { type: "leave" }) : undefined;
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
function enter(state: ChatState): Step {
  const { editor, queue } = state;
  if (editor.text[editor.cursor - 1] === "\\") return step(written(state, insert(edit(editor, "backspace"), "\n")));
  const text = editor.text.trim();
  if (text === "") return sendHeld(state);
  const command = parseCommand(text);
  if (command?.type === "unknown") return step({ ...state, hint: command.sentence });
  if (command !== undefined) return step(emptied(state), { type: "remember", text }, command);
  const sent = { ...emptied(state), history: [...state.history, text] };
  if (state.run !== undefined) return step({ ...sent, queue: [...queue, text] }, { type: "remember", text });
  return step(sent, { type: "remember", text }, { type: "prompt", text });
}

/** An empty Enter sends what waits. */
function sendHeld(state: ChatState): Step {
  const [next, ...queue] = state.queue;
  if (state.run !== undefined || next === undefined) return step(emptied(state));
  return step({ ...emptied(state), queue }, { type: "prompt", text: next });
}

/** Says it to the run that goes on; the newest of the queue where nothing is written. */
function steer(state: ChatState): Step {
  const written = state.editor.text.trim();
  const text = written === "" ? state.queue.at(-1) : written;
  if (text === undefined)
    return step(state.run === undefined ? state : { ...state, hint: "Write something to say to the agent first." });
  if (state.run === undefined) return enter(state);
  const sent: ChatState =
    written === ""
      ? { ...state, queue: state.queue.slice(0, -1) }
      : { ...emptied(state), history: [...state.history, text] };
  return step(sent, ...(written === "" ? [] : [{ type: "remember", text } as const]), { type: "steer", text });
}

/** A line up; from the first one back through what was sent. From an empty prompt the queue is taken back first. */
function up(state: ChatState): Step {
  const { editor, queue, history, recalled } = state;
  const moved = moveLine(editor, -1);
  if (moved !== undefined) return step({ ...state, editor: moved });
  const newest = queue.at(-1);
  if (editor.text === "" && newest !== undefined)
    return step({
      ...state,
      queue: queue.slice(0, -1),
      isQueueHeld: state.isQueueHeld && queue.length > 1,
      editor: editorWith(newest),
    });
  const at = (recalled?.at ?? history.length) - 1;
  const found = history[at];
  if (found === undefined) return step(state);
  return step({ ...state, editor: editorWith(found), recalled: { at, draft: recalled?.draft ?? editor.text } });
}

function down(state: ChatState): Step {
  const { editor, history, recalled } = state;
  const moved = moveLine(editor, 1);
  if (moved !== undefined) return step({ ...state, editor: moved });
  if (recalled === undefined) return step(state);
  const at = recalled.at + 1;
  const found = history[at];
  if (found !== undefined) return step({ ...state, editor: editorWith(found), recalled: { ...recalled, at } });
  const { recalled: _, ...rest } = state;
  return step({ ...rest, editor: editorWith(recalled.draft) });
}

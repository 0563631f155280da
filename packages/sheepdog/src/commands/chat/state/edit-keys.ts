import { plainBlock } from "../../../render/timeline/plain-lines.ts";
import { type Edit, type Editor, edit, insert } from "../editor/editor.ts";
import type { Key, KeyName } from "../editor/key.ts";

const edits: Readonly<Partial<Record<KeyName, Edit>>> = {
  left: "left",
  right: "right",
  "word-left": "word-left",
  "word-right": "word-right",
  home: "line-start",
  end: "line-end",
  "ctrl-a": "line-start",
  "ctrl-e": "line-end",
  "ctrl-b": "left",
  "ctrl-f": "right",
  backspace: "backspace",
  "ctrl-h": "backspace",
  delete: "delete",
  "ctrl-w": "delete-word",
  "alt-backspace": "delete-word",
  "ctrl-u": "delete-to-start",
  "ctrl-k": "delete-to-end",
};

/** The text after a key; undefined if the key does not edit text. A paste is text, whatever it contains. */
export function applyKey(editor: Editor, key: Key, { isOneLine = false } = {}): Editor | undefined {
  if (key.type !== "press") return insert(editor, typedText(key.text, isOneLine));
  if (key.name === "newline" && !isOneLine) return insert(editor, "\n");
  const how = edits[key.name];
  return how === undefined ? undefined : edit(editor, how);
}

/** Normalizes the line ends of a paste, which depend on the terminal. */
export function typedText(text: string, isOneLine = false): string {
  const plain = plainBlock(text.replace(/\r\n?/g, "\n"));
  return isOneLine ? plain.replaceAll("\n", " ") : plain;
}

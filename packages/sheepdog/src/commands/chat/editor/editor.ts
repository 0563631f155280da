import { graphemes } from "../../../render/terminal/graphemes.ts";

/** UTF-16 units. Longer than any character. */
const NEAR = 128;
/** The longest text, in UTF-16 units. A longer text belongs into a file. */
export const MAX_TEXT_LENGTH = 200_000;

/** A text with a cursor. `cursor` counts UTF-16 units and is never inside a character. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
}

export const emptyEditor: Editor = { text: "", cursor: 0 };

/** An editor with the cursor at the end of the text. */
export function editorWith(text: string): Editor {
  return { text, cursor: text.length };
}

/** An edit that a key can perform. */
export type Edit =
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "line-start"
  | "line-end"
  | "backspace"
  | "delete"
  | "delete-word"
  | "delete-to-start"
  | "delete-to-end";

/** Inserts a text at the cursor, cut to the maximum length. */
export function insert({ text, cursor }: Editor, inserted: string): Editor {
  const added = inserted.slice(0, Math.max(0, MAX_TEXT_LENGTH - text.length));
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Moves the cursor or deletes text. */
export function edit(editor: Editor, how: Edit): Editor {
  const { text, cursor } = editor;
  const to = target(editor, how);
  if (!how.startsWith("delete") && how !== "backspace") return { text, cursor: to };
  const from = Math.min(cursor, to);
  return { text: text.slice(0, from) + text.slice(Math.max(cursor, to)), cursor: from };
}

/** Moves the cursor a line up or down, in about the same column; undefined if there is no such line. */
export function moveLine({ text, cursor }: Editor, by: -1 | 1): Editor | undefined {
  const start = lineStart(text, cursor);
  const column = cursor - start;
  const next = by === -1 ? (start === 0 ? undefined : lineStart(text, start - 1)) : nextLine(text, cursor);
  if (next === undefined) return undefined;
  return { text, cursor: boundary(text, Math.min(next + column, lineEnd(text, next))) };
}

function target({ text, cursor }: Editor, how: Edit): number {
  switch (how) {
    case "left":
    case "backspace":
      return previousBoundary(text, cursor);
    case "right":
    case "delete":
      return nextBoundary(text, cursor);
    case "word-left":
    case "delete-word":
      return cursor - (/[^\s]*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
    case "word-right":
      return cursor + (/^\s*[^\s]*/.exec(text.slice(cursor))?.[0].length ?? 0);
    case "line-start":
    case "delete-to-start":
      return lineStart(text, cursor);
    case "line-end":
      return lineEnd(text, cursor);
    case "delete-to-end": {
      const end = lineEnd(text, cursor);
      return end === cursor ? nextBoundary(text, cursor) : end;
    }
    default:
      return how satisfies never;
  }
}

function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function nextLine(text: string, at: number): number | undefined {
  const end = lineEnd(text, at);
  return end === text.length ? undefined : end + 1;
}

/** Segments only the text near the cursor and within its line, because no character spans lines. */
function previousBoundary(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  if (start === cursor) return Math.max(0, cursor - 1);
  return cursor - ([...graphemes(text.slice(Math.max(start, cursor - NEAR), cursor))].at(-1)?.length ?? 0);
}

function nextBoundary(text: string, cursor: number): number {
  const [next = ""] = graphemes(text.slice(cursor, cursor + NEAR));
  return cursor + next.length;
}

/** The nearest position at or before `at` that is not inside a character. */
function boundary(text: string, at: number): number {
  let position = Math.max(lineStart(text, at), at - NEAR);
  for (const character of graphemes(text.slice(position, Math.min(at + NEAR, lineEnd(text, at))))) {
    if (position + character.length > at) break;
    position += character.length;
  }
  return position;
}

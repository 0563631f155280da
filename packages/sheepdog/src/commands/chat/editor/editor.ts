import { graphemes } from "../../../render/terminal/graphemes.ts";

/** More than any character has, in UTF-16 units. */
const NEAR = 128;
/** The longest text, in UTF-16 units: what is longer belongs into a file. */
export const MAX_TEXT_LENGTH = 200_000;

/** A text that is being written, and where: `cursor` counts UTF-16 units and never stands inside a character. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
}

export const emptyEditor: Editor = { text: "", cursor: 0 };

/** With the cursor at the end. */
export function editorWith(text: string): Editor {
  return { text, cursor: text.length };
}

/** Everything a key can do to a text. */
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

/** Puts text in where the cursor is. */
export function insert({ text, cursor }: Editor, more: string): Editor {
  const added = more.slice(0, Math.max(0, MAX_TEXT_LENGTH - text.length));
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** Moves the cursor or takes text away. */
export function edit(editor: Editor, how: Edit): Editor {
  const { text, cursor } = editor;
  const to = target(editor, how);
  if (!how.startsWith("delete") && how !== "backspace") return { text, cursor: to };
  const from = Math.min(cursor, to);
  return { text: text.slice(0, from) + text.slice(Math.max(cursor, to)), cursor: from };
}

/** A line up or down, in about the same column; undefined where there is none. */
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
      return before(text, cursor);
    case "right":
    case "delete":
      return after(text, cursor);
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
      return end === cursor ? after(text, cursor) : end;
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

/** Looking at what is near is enough, and at one line: no character reaches over its end. */
function before(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  if (start === cursor) return Math.max(0, cursor - 1);
  return cursor - ([...graphemes(text.slice(Math.max(start, cursor - NEAR), cursor))].at(-1)?.length ?? 0);
}

function after(text: string, cursor: number): number {
  const [next = ""] = graphemes(text.slice(cursor, cursor + NEAR));
  return cursor + next.length;
}

/** The nearest place at or before `at` that is not inside a character. */
function boundary(text: string, at: number): number {
  let place = Math.max(lineStart(text, at), at - NEAR);
  for (const character of graphemes(text.slice(place, Math.min(at + NEAR, lineEnd(text, at))))) {
    if (place + character.length > at) break;
    place += character.length;
  }
  return place;
}

import { graphemes } from "../../../render/terminal/graphemes.ts";
import { cut, widthOf } from "../../../render/terminal/width.ts";
import type { Editor } from "../editor/editor.ts";
import { shownCharacter } from "../editor/pastes.ts";

/** Lines with the position of the cursor in them. */
export interface EditorLines {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
}

/** Characters. Of a longer text, only the part around the cursor is laid out. */
const MAX_LENGTH = 20_000;

/** The text of an editor in lines of `columns` columns; at most `rows` lines around the cursor. */
export function editorLines(
  editor: Editor,
  {
    columns,
    rows,
    pastes = [],
  }: { readonly columns: number; readonly rows: number; readonly pastes?: readonly string[] },
): EditorLines {
  const { text, cursor } = aroundCursor(editor);
  const width = Math.max(1, columns);
  const lines = [""];
  let used = 0;
  let x = 0;
  let y = 0;
  let index = 0;
  const newLine = () => {
    lines.push("");
    used = 0;
  };
  for (const character of graphemes(text)) {
    if (index === cursor) [x, y] = [used, lines.length - 1];
    index += character.length;
    if (character === "\n" || character === "\r\n") {
      newLine();
      continue;
    }
    const shown = cut(shownCharacter(character, pastes), width);
    const characterWidth = widthOf(shown);
    if (used + characterWidth > width) {
      newLine();
      if (index - character.length === cursor) [x, y] = [0, lines.length - 1];
    }
    lines.push(`${lines.pop() ?? ""}${shown}`);
    used += characterWidth;
  }
  if (index === cursor) {
    if (used >= width) newLine(); // the cursor is after the last column
    [x, y] = [used, lines.length - 1];
  }
  const top = Math.max(0, Math.min(y - rows + 1, lines.length - rows));
  const first = y < top ? y : top;
  return { lines: lines.slice(first, first + rows), x, y: y - first };
}

/** The text around the cursor. It starts at a line, or at a fixed multiple, so that it does not move with every key. */
function aroundCursor({ text, cursor }: Editor): Editor {
  if (text.length <= MAX_LENGTH) return { text, cursor };
  const earliest = Math.max(0, cursor - MAX_LENGTH / 2);
  const nextLine = text.indexOf("\n", earliest) + 1;
  const start = nextLine > 0 && nextLine <= cursor ? nextLine : earliest - (earliest % (MAX_LENGTH / 4));
  return { text: text.slice(start, start + MAX_LENGTH), cursor: cursor - start };
}

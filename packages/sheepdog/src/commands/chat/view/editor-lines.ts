import { graphemes } from "../../../render/terminal/graphemes.ts";
import { widthOf } from "../../../render/terminal/width.ts";
import type { Editor } from "../editor/editor.ts";

/** Lines with the place of the cursor among them. */
export interface EditorLines {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
}

/** A longer text is looked at near the cursor only. */
const MOST = 20_000;

/** A text that is being written, broken into rows of `columns` columns, of which at most `rows` around the cursor are given. */
export function editorLines(editor: Editor, columns: number, rows: number): EditorLines {
  const { text, cursor } = near(editor);
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
  for (const segment of graphemes(text)) {
    if (index === cursor) [x, y] = [used, lines.length - 1];
    index += segment.length;
    if (segment === "\n" || segment === "\r\n") {
      newLine();
      continue;
    }
    const wide = widthOf(segment);
    if (used + wide > width) {
      newLine();
      if (index - segment.length === cursor) [x, y] = [0, lines.length - 1];
    }
    lines.push(`${lines.pop() ?? ""}${segment}`);
    used += wide;
  }
  if (index === cursor) {
    if (used >= width) newLine(); // the cursor stands behind the last column
    [x, y] = [used, lines.length - 1];
  }
  const top = Math.max(0, Math.min(y - rows + 1, lines.length - rows));
  const first = y < top ? y : top;
  return { lines: lines.slice(first, first + rows), x, y: y - first };
}

/** What lies around the cursor; it begins with a line, or where it does not move with every key. */
function near({ text, cursor }: Editor): Editor {
  if (text.length <= MOST) return { text, cursor };
  const wanted = Math.max(0, cursor - MOST / 2);
  const line = text.indexOf("\n", wanted) + 1;
  const start = line > 0 && line <= cursor ? line : wanted - (wanted % (MOST / 4));
  return { text: text.slice(start, start + MOST), cursor: cursor - start };
}

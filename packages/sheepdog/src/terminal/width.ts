import { graphemes } from "./graphemes.ts";

/** Scripts and pictures that take two columns. */
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
const ascii = /^[\x20-\x7e]*$/;

/** The columns a line takes in a terminal. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of graphemes(text)) width += wide.test(character) ? 2 : 1;
  return width;
}

/** Whether a line takes more than `width` columns; no more of it is looked at than that takes. */
export function isWider(text: string, width: number): boolean {
  const head = text.slice(0, Math.max(0, width) + 1);
  if (ascii.test(head)) return head.length > width;
  let used = 0;
  for (const character of graphemes(text)) {
    used += wide.test(character) ? 2 : 1;
    if (used > width) return true;
  }
  return false;
}

/** The text, cut with an ellipsis where it is wider than `width`. */
export function cut(text: string, width: number): string {
  if (!isWider(text, width)) return text;
  let kept = "";
  let used = 0;
  for (const character of graphemes(text)) {
    used += wide.test(character) ? 2 : 1;
    if (used > width - 1) break;
    kept += character;
  }
  return width < 1 ? "" : `${kept}…`;
}

/** The text in exactly `width` columns. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const space = " ".repeat(Math.max(0, width - widthOf(shown)));
  return align === "left" ? shown + space : space + shown;
}

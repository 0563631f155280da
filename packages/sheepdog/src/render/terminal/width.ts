import { graphemes } from "./graphemes.ts";

/** Scripts and emoji that take two columns. */
const wideRanges = [
  String.raw`\p{Emoji_Presentation}`,
  String.raw`[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3]`,
  String.raw`[\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]`,
  String.raw`[\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]`,
];
const wide = new RegExp(`^(?:${wideRanges.join("|")})`, "u");
/** Selects the emoji form of a character. */
const emojiSelector = /[\ufe0f\u20e3]/;
/** Combining characters that take a column of their own. */
const spacing = /[\p{Spacing_Mark}\uff00-\uffef\u1160-\u11ff\ud7b0-\ud7fb]/gu;
const ascii = /^[\x20-\x7e]*$/;

/** The number of columns that a line takes in a terminal. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const character of graphemes(text)) width += columnsOf(character);
  return width;
}

/** Where terminals differ, this counts the larger width: a short line is better than a broken one. */
function columnsOf(character: string): number {
  const [first = "", ...rest] = character;
  const base = wide.test(first) || emojiSelector.test(character) ? 2 : 1;
  return rest.length === 0 ? base : base + (rest.join("").match(spacing)?.length ?? 0);
}

/** Whether a line takes more than `width` columns. Reads no more of it than necessary. */
export function isWider(text: string, width: number): boolean {
  const head = text.slice(0, Math.max(0, width) + 1);
  if (ascii.test(head)) return head.length > width;
  let used = 0;
  for (const character of graphemes(text)) {
    used += columnsOf(character);
    if (used > width) return true;
  }
  return false;
}

/** The text, cut and ended with an ellipsis if it is wider than `width`. */
export function cut(text: string, width: number, ellipsis = "…"): string {
  if (!isWider(text, width)) return text;
  let head = "";
  let used = 0;
  for (const character of graphemes(text)) {
    used += columnsOf(character);
    if (used > width - widthOf(ellipsis)) break;
    head += character;
  }
  return width < widthOf(ellipsis) ? "" : `${head}${ellipsis}`;
}

/** The text cut or padded to exactly `width` columns. */
export function fit(text: string, width: number, align: "left" | "right" = "left"): string {
  const shown = cut(text, width);
  const space = " ".repeat(Math.max(0, width - widthOf(shown)));
  return align === "left" ? shown + space : space + shown;
}

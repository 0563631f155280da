import type { Line, MessageText } from "../notice-text.ts";

/** How a vendor marks text up. */
export interface Markup {
  /** Makes plain text harmless. */
  escape(text: string): string;
  bold(escaped: string): string;
  /** Gets text that is not escaped. */
  code(text: string): string;
}

/** The message with the markup of a vendor, cut to its limit at the end of a line. */
export function markedUp({ title, lines }: MessageText, markup: Markup, maxChars: number): string {
  const parts = [markup.bold(markup.escape(inert(title))), ...lines.map((line) => lineText(line, markup))];
  let text = "";
  for (const [index, part] of parts.entries()) {
    const next = index === 0 ? part : `${text}\n${part}`;
    if (next.length > maxChars) break;
    text = next;
  }
  return text;
}

function lineText({ text, isCode }: Line, markup: Markup): string {
  return isCode === true ? markup.code(text) : markup.escape(inert(text));
}

/** Joins two characters without being seen. */
const joiner = "\u2060";

/**
 * Text that no client turns into a link or a mention: agents and web pages must not ping people, nor lead them
 * anywhere. Code needs none of it, because clients show it as it is.
 */
export function inert(text: string): string {
  return text
    .replaceAll("://", `:${joiner}//`)
    .replaceAll("@", `@${joiner}`)
    .replace(/(?<=[\w)])\.(?=[a-z]{2,}(?:\W|$))/giu, `${joiner}.`);
}

import type { Line, MessageText } from "../notice-text.ts";

/** How a vendor marks text up. */
export interface Markup {
  /** Makes plain text harmless. */
  escape(text: string): string;
  bold(escaped: string): string;
  /** Gets text that is not escaped. */
  code(text: string): string;
}

/**
 * The message with the markup of a vendor, within its limit: without the last of the details, then without other lines
 * that are no code. Commands are kept as long as they fit.
 */
export function markedUp({ title, lines }: MessageText, markup: Markup, maxChars: number): string {
  const head = markup.bold(markup.escape(inert(title)));
  const parts = lines.map((line) => ({ ...line, marked: lineText(line, markup) }));
  const lengthOf = (kept: typeof parts) => kept.reduce((sum, { marked }) => sum + marked.length + 1, head.length);
  let kept = parts;
  for (const canGo of [isDetail, isText, () => true])
    while (lengthOf(kept) > maxChars) {
      const last = kept.findLastIndex(canGo);
      if (last < 0) break;
      kept = kept.filter((_, index) => index !== last);
    }
  return [head, ...kept.map(({ marked }) => marked)].join("\n");
}

function isDetail(line: Line): boolean {
  return line.isDetail === true;
}

function isText(line: Line): boolean {
  return line.isCode !== true;
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

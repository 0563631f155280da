import type { Sentence } from "@sheepdog/web/contract";
import { plainLines, plainText } from "../../render/terminal/plain-text.ts";

/** Untrusted text in one line of Markdown, also within a table: it cannot become a link, HTML, a mention or a cell. */
export function markdownText(text: string): string {
  return plainLines(text)
    .replaceAll("\n", " ")
    .replace(/[\\`*_{}[\]#!|~$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("@", "@\u200b")
    .replace(/(https?):\/\//gi, "$1:\u200b//")
    .replace(/\bwww\./gi, "$&\u200b");
}

/** Untrusted text as code. Its backticks cannot end it, and its bars cannot end a cell. */
export function inlineCode(text: string): string {
  const line = plainText(text).replaceAll("|", "\\|");
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A sentence in Markdown: its commands are code and its amounts bold. */
export function markdownSentence(sentence: Sentence): string {
  return sentence
    .map((part) =>
      "code" in part
        ? inlineCode(part.code)
        : "strong" in part
          ? `**${markdownText(part.strong)}**`
          : markdownText(part.text),
    )
    .join("");
}

import { plainLines } from "../../../render/terminal/plain-text.ts";

/** Text of a page. Only `html` and `trusted` make it, so that everything else is escaped. */
export interface Html {
  readonly html: string;
}

/** What a template takes. Strings are untrusted: they are cleaned of control characters and escaped. */
export type HtmlValue = Html | string | number | undefined | readonly Html[];

/**
 * Makes HTML from a template. `undefined` is left out. A line break with its indentation is nothing beside a tag or a
 * value, and a space elsewhere.
 */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const parts = texts.map((text) => text.replace(lineBreaks, (_, before, after) => separator(before, after)));
  return { html: parts.reduce((all, text, index) => all + asHtml(values[index - 1]) + text) };
}

const lineBreaks = /(^|>)?\s*\n\s*(<|$)?/g;

function separator(before: string | undefined, after: string | undefined): string {
  return before === undefined && after === undefined ? " " : `${before ?? ""}${after ?? ""}`;
}

/** Text of this program that is HTML already: styles and scripts. */
export function trusted(text: string): Html {
  return { html: text };
}

function asHtml(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escaped(value);
  return "html" in value ? value.html : value.map((each) => each.html).join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Untrusted text for the content of an element or for an attribute in quotes. */
function escaped(text: string): string {
  return plainLines(text)
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? "");
}

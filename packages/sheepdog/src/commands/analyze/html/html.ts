import { plainLines } from "../../../render/terminal/plain-text.ts";

/** Text of a page. Only `html` and `trusted` make it, so that everything else is escaped. */
export interface Html {
  readonly html: string;
}

/** What a template takes. Strings are untrusted: they are cleaned of control characters and escaped. */
export type HtmlValue = Html | string | number | undefined | readonly Html[];

/** Makes HTML from a template. `undefined` is left out. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: texts.reduce((all, text, index) => all + asHtml(values[index - 1]) + text) };
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
export function escaped(text: string): string {
  return plainLines(text)
    .toWellFormed()
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? "");
}

import type { Sentence } from "@sheepdog/web/contract";
import { type Html, html } from "./html.ts";

/** A sentence with its commands in their own type and its amounts standing out. */
export function sentenceHtml(sentence: Sentence): Html {
  return html`${sentence.map((part) => {
    if ("code" in part) return html`<code>${part.code}</code>`;
    return "strong" in part ? html`<b>${part.strong}</b>` : html`${part.text}`;
  })}`;
}

import type { Sentence as SentenceParts } from "../contract/index.ts";
import { visibleText } from "../format/visible-text.ts";

/** Shows a sentence of the API: its texts are plain, so nothing in them is ever markup. */
export function Sentence({ parts }: { readonly parts: SentenceParts }) {
  return (
    <>
      {parts.map((part) => {
        if ("code" in part) return <code>{visibleText(part.code)}</code>;
        if ("strong" in part) return <b>{visibleText(part.strong)}</b>;
        return visibleText(part.text);
      })}
    </>
  );
}

/** The same as plain text, for labels and titles. */
export function sentenceText(parts: SentenceParts): string {
  return parts.map((part) => ("code" in part ? part.code : "strong" in part ? part.strong : part.text)).join("");
}

import type { Sentence as SentenceParts } from "../contract/index.ts";

/** Shows a sentence of the API: its texts are plain, so nothing in them is ever markup. */
export function Sentence({ parts }: { readonly parts: SentenceParts }) {
  return (
    <>
      {parts.map((part) => {
        if ("code" in part) return <code>{part.code}</code>;
        if ("strong" in part) return <b>{part.strong}</b>;
        return part.text;
      })}
    </>
  );
}

/** The same as plain text, for labels and titles. */
export function sentenceText(parts: SentenceParts): string {
  return parts.map((part) => ("code" in part ? part.code : "strong" in part ? part.strong : part.text)).join("");
}

import type { Sentence } from "@sheepdog/web/contract";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { plainSentence } from "../../sentences/say.ts";

/** A sentence in lines of at most `width` columns, with its amounts in bold. */
export function sentenceLines(sentence: Sentence, width: number, style: Style): readonly string[] {
  const lines = wrap(plainText(quoted(sentence)), width);
  const amounts = sentence.flatMap((part) => ("strong" in part ? [part.strong] : []));
  // An amount that is broken over two lines stays plain.
  return lines.map((line) => amounts.reduce((text, amount) => text.replace(amount, () => style.bold(amount)), line));
}

/** A sentence as one line, with its commands and names in backticks. */
export function quoted(sentence: Sentence): string {
  return plainSentence(sentence.map((part) => ("code" in part ? { text: `\`${part.code}\`` } : part)));
}

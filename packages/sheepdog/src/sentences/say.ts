import type { Sentence } from "@sheepdog/web/contract";

/** A part of a sentence. */
export type Part = Sentence[number];

/** A command, a file or a name of the program, shown in its own type. */
export function code(text: string): Part {
  return { code: text };
}

/** An amount that stands out. */
export function strong(text: string): Part {
  return { strong: text };
}

/** Makes a sentence from a template: strings and numbers become text, parts and sentences stay as they are. */
export function say(texts: TemplateStringsArray, ...values: readonly (Part | Sentence | string | number)[]): Sentence {
  return joined(texts.flatMap((text, index) => [{ text }, ...asParts(values[index])]));
}

/** Sentences one after the other, with a space between them. Empty ones are left out. */
export function paragraph(...sentences: readonly (Sentence | undefined)[]): Sentence {
  const present = sentences.filter((sentence) => sentence !== undefined && sentence.length > 0);
  return joined(present.flatMap((sentence, index) => [...(index === 0 ? [] : [{ text: " " }]), ...(sentence ?? [])]));
}

/** A sentence as plain text. */
export function plainSentence(sentence: Sentence): string {
  return sentence.map((part) => ("text" in part ? part.text : "code" in part ? part.code : part.strong)).join("");
}

/** The sentence with a capital at its beginning, unless it begins with a command. */
export function capitalized(sentence: Sentence): Sentence {
  const [first, ...rest] = sentence;
  if (first === undefined || !("text" in first)) return sentence;
  return [{ text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }, ...rest];
}

function asParts(value: Part | Sentence | string | number | undefined): Sentence {
  if (value === undefined) return [];
  if (typeof value === "string" || typeof value === "number") return [{ text: String(value) }];
  return Array.isArray(value) ? value : [value as Part]; // Array.isArray does not narrow a readonly type
}

/** Joins neighbouring texts and drops empty ones. */
function joined(parts: Sentence): Sentence {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if ("text" in part && part.text === "") continue;
    if ("text" in part && last !== undefined && "text" in last)
      merged[merged.length - 1] = { text: last.text + part.text };
    else merged.push(part);
  }
  return merged;
}

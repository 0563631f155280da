import type { Sentence } from "@sheepdog/web/contract";
import { plainText } from "../render/terminal/plain-text.ts";
import { code, type Part, plainSentence } from "./say.ts";
import { shortened } from "./shortened.ts";

/** Characters of a text that are looked at. */
const MAX_READ = 6_000;
const MAX_CHARS = 120;
/** Sentences that say nothing on their own. */
const filler = /^(?:(?:all )?done|ok(?:ay)?|great|perfect|excellent|sure|finished|success|summary|result|yes|no)\W*$/iu;

/** The first sentence of a text of a model or a user: without markdown, and shortened at the end of a word. */
export function firstSentence(text: string, maxChars: number = MAX_CHARS): Sentence {
  return withCode(firstSentenceText(text, maxChars));
}

/** The same as plain text; code keeps its backticks. */
export function firstSentenceText(text: string, maxChars: number = MAX_CHARS): string {
  const lines = proseLines(text.slice(0, MAX_READ));
  const sentences = lines.flatMap(sentencesOf).filter((sentence) => sentence !== "");
  const chosen = sentences.find((sentence) => !filler.test(sentence)) ?? sentences[0] ?? "";
  return shortened(chosen.replace(/(?<!\.)[.:;]$/u, ""), maxChars);
}

/** Whether a text says nothing on its own: it is empty, or only says that something was done. */
export function isFiller(text: string): boolean {
  const sentence = firstSentenceText(text);
  return sentence === "" || filler.test(sentence);
}

/** What a run was asked to do, as a plain line: the first sentence of its prompt. */
export function taskText(prompt: string): string {
  return plainSentence(firstSentence(prompt, MAX_CHARS));
}

/** The lines with prose: no code blocks, tables or rules; headings only if there is nothing else. */
function proseLines(markdown: string): readonly string[] {
  const lines = markdown
    .replace(/^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gmu, "")
    .split("\n")
    .filter((line) => !/^\s*(?:\|.*\||[-*_=]{3,}|<[^>]*>)\s*$/u.test(line));
  const isHeading = (line: string) => /^\s{0,3}#{1,6}\s|^\s*\*\*[^*]+\*\*:?\s*$/u.test(line);
  const plain = (some: readonly string[]) => some.map(withoutMarkdown).filter((line) => line !== "");
  const prose = plain(lines.filter((line) => !isHeading(line)));
  return prose.length > 0 ? prose : plain(lines);
}

function withoutMarkdown(line: string): string {
  return plainText(
    line
      .replace(/^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+(?:\[[ x]\]\s+)?|\d{1,3}[.)]\s+)+/iu, "")
      .replace(/!\[[^\]]*\]\([^)]*\)/gu, "")
      .replace(/\[([^\]]+)\]\([^)]*\)/gu, "$1")
      .replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/gu, "$2")
      .replace(/(?<![\w*])[*_](?=\S)([^*_]+?)(?<=\S)[*_](?![\w*])/gu, "$1")
      .replace(/<\/?[a-z][^>]*>/giu, ""),
  );
}

/** A full stop ends a sentence unless it belongs to a number, a name or an abbreviation. */
function sentencesOf(line: string): readonly string[] {
  return line
    .split(/(?<=[.!?…])(?<!\b(?:e\.g|i\.e|etc|vs|no|approx|resp|cf|Mr|Mrs|Dr|St)\.)\s+(?=[\p{Lu}\p{N}"“'`(]|$)/u)
    .map((sentence) => sentence.trim());
}

/** Text in backticks as code. */
function withCode(text: string): Sentence {
  return text
    .split(/(`[^`]+`)/u)
    .filter((piece) => piece !== "")
    .map((piece): Part => (/^`[^`]+`$/u.test(piece) ? code(piece.slice(1, -1)) : { text: piece.replaceAll("`", "") }));
}

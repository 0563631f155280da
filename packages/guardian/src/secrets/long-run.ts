import { base64Block } from "./key-blocks.ts";
import type { Span } from "./span.ts";

const MIN_LENGTH = 40;
const MAX_NAME = 256;

/** The secrets in a long run of letters, digits, "_", "-", "+" and "/". */
export function secretsInRun(text: string, start: number, end: number): readonly Span[] {
  const block = base64Block(text, start);
  if (block !== undefined) return [block];
  const run = text.slice(start, end);
  if (run.length === MIN_LENGTH && run.includes("/") && isAwsSecret(run)) return [{ start, end }];
  return [...run.matchAll(/[\w+-]{40}[\w+-]*/g)]
    .filter(([word]) => !isHashOrName(word))
    .map(({ 0: word, index }) => ({
      start: start + index,
      end: start + index + word.length,
      isOpen: end === text.length,
    }));
}

/** A commit's hash is no secret, nor is a long name: words, each with at most four digits at its end. */
function isHashOrName(word: string): boolean {
  if (!/\d/.test(word)) return true;
  if (word.length > MAX_NAME) return /^[\da-f]+$/.test(word.slice(0, MAX_NAME));
  return /^[\da-f]+$/.test(word) || /^(?:[A-Za-z]{0,80}\d{0,4}[_+-])*[A-Za-z]{0,80}\d{0,4}$/.test(word);
}

/** Whether forty characters are random rather than a path: the kind of character changes often between the slashes. */
function isAwsSecret(run: string): boolean {
  const changes = run.match(/[a-z](?=[A-Z\d+])|[A-Z](?=[\d+])|[\d+](?=[A-Za-z])|[A-Z](?=[A-Z][a-z])/g) ?? [];
  return changes.length >= 12;
}

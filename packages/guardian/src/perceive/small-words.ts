import { hashWord } from "./hash.ts";

/** What a word may be: bits of `roleOf`. */
export const STOP = 1;
export const LABEL = 2;

/** Tells most words at a glance to have no role at all; `isStopWord` and `isLabel` tell for sure. */
export function roleOf(word: number): number {
  return roles[word & MOST] as number; // masked to the table's length
}

/** Words that say nothing by themselves. */
export function isStopWord(word: number): boolean {
  return stopWords.has(word);
}

/** Whether what follows a word is volatile: `pid`, `request id`, a folder below `tmp/`. */
export function isLabel(word: number, before: number, next: number): boolean {
  return labels.has(word) || (word === idWord && idOwners.has(before)) || (word === tmpWord && next === 47);
}

const hashes = (words: string): ReadonlySet<number> => new Set(words.split(" ").map(hashWord));
const idWord = hashWord("id");
const tmpWord = hashWord("tmp");
const labels = hashes(
  "pid ppid nonce timestamp elapsed duration took latency uptime requestid traceid spanid messageid msgid correlationid",
);
const idOwners = hashes("request req trace span message msg correlation process thread");
const stopWords = hashes(
  "a an and are as at be by for from has have in is it its of on or that the this to was were will with you your",
);

const MOST = 0xfff;
const roles = new Uint8Array(MOST + 1);
for (const word of stopWords) roles[word & MOST] = (roles[word & MOST] as number) | STOP;
for (const word of [...labels, idWord, tmpWord]) roles[word & MOST] = (roles[word & MOST] as number) | LABEL;

import { hashWord } from "./hash.ts";

/** Whether a hashed word says nothing by itself. */
export function isStopWord(word: number): boolean {
  return stopWords.has(word);
}

/** Whether the value after a hashed word is volatile: `pid`, `request id`, a folder below `tmp/`. */
export function isLabel(word: number, previousWord: number, nextCharacter: string | undefined): boolean {
  if (word === idWord) return idOwners.has(previousWord);
  if (word === tmpWord) return nextCharacter === "/";
  return labels.has(word);
}

const hashes = (words: string): ReadonlySet<number> => new Set(words.split(" ").map(hashWord));
const idWord = hashWord("id");
const tmpWord = hashWord("tmp");
const labels = hashes(
  "pid ppid nonce timestamp elapsed duration took latency uptime " +
    "requestid traceid spanid messageid msgid correlationid",
);
const idOwners = hashes("request req trace span message msg correlation process thread");
const stopWords = hashes(
  "a an and are as at be by for from has have in is it its of on or that the this to was were will with you your",
);

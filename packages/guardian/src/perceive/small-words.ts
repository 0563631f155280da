import { hashWord } from "./hash.ts";

/** Whether a hashed word says nothing by itself. */
export function isStopWord(word: number): boolean {
  return stopWords.has(word);
}

/** Whether the value after a hashed word is volatile: `pid`, `request id`, `elapsed_ms`, a folder below `tmp/`. */
export function isLabel(word: number, previousWord: number, nextCharacter: string | undefined): boolean {
  if (word === idWord) return idOwners.has(previousWord);
  if (word === tmpWord) return nextCharacter === "/";
  if (units.has(word)) return timeWords.has(previousWord);
  if (word === countWord) return previousWord === executionWord;
  return timeLabels.has(word) || (labels.has(word) && nextCharacter !== "_"); // the value follows the last word
}

/** Whether a hashed word belongs to the name of a figure about time. */
export function isTimeWord(word: number): boolean {
  return timeLabels.has(word) || timeWords.has(word) || units.has(word);
}

const hashes = (words: string): ReadonlySet<number> => new Set(words.split(" ").map(hashWord));
const idWord = hashWord("id");
const tmpWord = hashWord("tmp");
const labels = hashes(
  "pid ppid nonce timestamp elapsed duration took latency uptime " +
    "requestid traceid spanid messageid msgid correlationid",
);
const timeLabels = hashes(
  "durationms durationseconds elapsedms elapsedtime elapsedseconds executiontime executiontimems executioncount " +
    "latencyms tookms responsetimems startedat finishedat endedat completedat",
);
const timeWords = hashes(
  "duration elapsed latency took uptime execution time wall cpu response started finished ended completed",
);
const units = hashes("ms s sec secs seconds ns us millis milliseconds time at");
const countWord = hashWord("count");
const executionWord = hashWord("execution");
const idOwners = hashes("request req trace span message msg correlation process thread");
const stopWords = hashes(
  "a an and are as at be by for from has have in is it its of on or that the this to was were will with you your",
);

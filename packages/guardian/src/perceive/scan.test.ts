import { describe, expect, test } from "vitest";
import { hashWord } from "./hash.ts";
import { collectWords, scan } from "./scan.ts";
import { addWord, sketchOf, wordSet } from "./sketch.ts";

function wordsOf(text: string, keepsDigits = true): string {
  const words = wordSet();
  collectWords(text, words, keepsDigits);
  return sketchOf(words);
}

function sketch(...words: string[]): string {
  const set = wordSet();
  for (const word of words) addWord(set, hashWord(word));
  return sketchOf(set);
}

const masked = (text: string) => scan(text).masked;

describe("scan", () => {
  test.each([
    ["a date with its time", "done 2026-01-02T10:11:12Z", "done 2026-03-04 05:06:07"],
    ["a clock", "[10:11:12] ready", "[23:59:01.123] ready"],
    ["a duration", "ready in 3.2s", "ready in 120 ms"],
    ["an epoch", "at 1700000000 ok", "at 1712345678901 ok"],
    ["a uuid", "job 123e4567-e89b-12d3-a456-426614174000", "job 923e4567-e89b-12d3-a456-426614174abc"],
    ["a hash", "commit 1a2b3c4d5e6f", "commit ffee00112233"],
    ["a process id", "pid 4100", "pid 99"],
    ["a request id", '{"request_id":"req_1a"}', '{"request_id":"x-99-zz"}'],
    ["a count of occurrence", "read 7× this session", "read 12× this session"],
    ["a temporary path", "in /tmp/abc123/out", "in /tmp/zzz/out"],
    ["case and spacing", "Ready  now", "ready\nnow"],
  ])("%s is masked", (_, a, b) => {
    expect(masked(a)).toBe(masked(b));
  });

  test.each([
    ["a score", "score 0.81", "score 0.82"],
    ["a percentage", "42 % done", "57 % done"],
    ["a sign", "delta -5", "delta 5"],
    ["a date alone", "departs 2026-05-01", "departs 2026-05-02"],
    ["a time of day", "departs 14:30", "departs 15:30"],
    ["a position on a board", ". # .", "# . ."],
    ["a word", "no results", "one result"],
  ])("%s is news", (_, a, b) => {
    expect(masked(a)).not.toBe(masked(b));
  });

  test("texts that differ in numbers only have one shape", () => {
    expect(scan("3 of 10 done").shape).toBe(scan("4 of 10 done").shape);
    expect(scan("3 of 10 done").shape).not.toBe(scan("3 of 10 failed").shape);
  });

  test("the echo of the question is no news", () => {
    const echo = wordSet(sketch("users", "orders"));
    expect(scan("table users is empty", echo).masked).toBe(scan("table orders is empty", echo).masked);
  });

  test("the last line that says anything is known", () => {
    expect(scan("a\nb\n\n").last).toBe(scan("x\nb").last);
    expect(scan("a\nb").last).not.toBe(scan("a\nc").last);
  });

  test("words of arguments keep times and numbers; stop words and quotes go", () => {
    expect(wordsOf("the start: 10:30")).toBe(sketch("start", "10", "30"));
    expect(wordsOf("'Fix' \"THE\" bug", true)).toBe(sketch("fix", "bug"));
    expect(wordsOf("line 12: err7", false)).toBe(sketch("line", "err"));
  });

  test("huge texts are read at both ends only, and still distinguished by their length", () => {
    const huge = (middle: string) => `${"start ".repeat(4_000)}${middle}${" end".repeat(5_000)}`;
    expect(scan(huge("x")).masked).not.toBe(scan(huge("xyz")).masked);
  });
});

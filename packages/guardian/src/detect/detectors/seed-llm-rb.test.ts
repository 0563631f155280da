import fc from "fast-check";
import { expect, test } from "vitest";
import { type TailRepetitions, tailRepetitions } from "./seed-llm-rb.ts";

const keys = (text: string) => [...text];

test.each([
  ["aaa", 3, { repetitions: 3, period: 1 }],
  ["aaaaa", 3, { repetitions: 5, period: 1 }],
  ["xababab", 3, { repetitions: 3, period: 2 }],
  ["abcabcabc", 3, { repetitions: 3, period: 3 }],
  ["aabaabaab", 3, { repetitions: 3, period: 3 }],
  ["aabaab", 2, { repetitions: 2, period: 3 }],
  ["aa", 2, { repetitions: 2, period: 1 }],
])("%s repeats at least %i times", (text, threshold, found) => {
  expect(tailRepetitions(keys(text), threshold)).toEqual(found);
});

test.each([
  ["", 3],
  ["aa", 3],
  ["ababa", 3],
  ["aaab", 3],
  ["abcabcab", 3],
])("%s does not repeat %i times", (text, threshold) => {
  expect(tailRepetitions(keys(text), threshold)).toBeUndefined();
});

test("it finds what comparing block by block finds", () => {
  const histories = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 60 });
  const laps = fc
    .tuple(histories, fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 7 }), fc.nat(6))
    .map(([before, lap, times]) => {
      return [...before, ...Array.from({ length: times }, () => lap).flat()];
    });
  fc.assert(
    fc.property(fc.oneof(histories, laps), fc.integer({ min: 2, max: 6 }), (history, threshold) => {
      expect(tailRepetitions(history, threshold)).toEqual(blockByBlock(history, threshold));
    }),
    { numRuns: 2_000 },
  );
});

test("no threshold, however senseless, makes it run on", () => {
  for (const threshold of [
    0,
    1,
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.MIN_VALUE,
  ])
    for (const history of ["", "a", "ab", "abab"])
      expect(() => tailRepetitions(keys(history), threshold)).not.toThrow();
});

test("a long history full of near misses is looked at a few times only", () => {
  let looks = 0;
  const history = new Proxy(fibonacciWord(10_000), {
    get(target, key) {
      if (typeof key === "string" && /^\d/.test(key)) looks++;
      return Reflect.get(target, key);
    },
  });
  expect(tailRepetitions(history, 4)).toBeUndefined();
  expect(looks).toBeLessThan(10 * history.length);
});

/** Repeats itself everywhere, up to three times and a half. */
function fibonacciWord(length: number): readonly string[] {
  let [before, word] = ["a", "ab"];
  while (word.length < length) [before, word] = [word, word + before];
  return keys(word.slice(0, length));
}

function blockByBlock(history: readonly string[], threshold: number): TailRepetitions | undefined {
  for (let period = 1; period * threshold <= history.length; period++) {
    const pattern = history.slice(-period).join();
    let repetitions = 1;
    while (history.slice(-period * (repetitions + 1), -period * repetitions).join() === pattern) repetitions++;
    if (repetitions >= threshold) return { repetitions, period };
  }
  return undefined;
}

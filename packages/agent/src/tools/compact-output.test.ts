import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens } from "../protocol/token-estimate.ts";
import { compactOutput } from "./compact-output.ts";

test("text within the limit stays as it is", () => {
  expect(compactOutput("short\n", 100)).toBe("short\n");
});

test("head and tail stay, cut at line ends, and the missing part is counted", () => {
  const text = Array.from({ length: 1_000 }, (_, i) => `line ${i}`).join("\n");
  const short = compactOutput(text, 100);
  expect(short.split("\n")[0]).toBe("line 0");
  expect(short.split("\n").at(-1)).toBe("line 999");
  expect(short).toMatch(/\n\[… \d+ characters \(9\d\d lines\) left out here; .*\]\nline \d+\n/);
  for (const line of short.split("\n")) expect(line).toMatch(/^line \d+$|^\[… /);
});

test("a single long line is cut as well", () => {
  const short = compactOutput("x".repeat(1_000_000), 50);
  expect(short.length).toBeLessThanOrEqual(200);
  expect(short).toMatch(/^x+\n\[… \d+ characters left out here/);
});

test("the result is never longer than allowed and never contains half a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("🐑", "羊", "ё", "a", "\n"), maxLength: 2_000 }),
      fc.integer({ min: 0, max: 300 }),
      (text, tokens) => {
        const short = compactOutput(text, tokens);
        expect(estimateTokens(short)).toBeLessThanOrEqual(tokens);
        expect(Buffer.from(short, "utf8").toString("utf8")).toBe(short);
      },
    ),
  );
});

test("the result for one long line is at most a few bytes shorter than allowed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("🐑", "羊", "ё", "a"),
      fc.integer({ min: 0, max: 2_000 }),
      fc.integer({ min: 90, max: 130 }),
      (character, tokens, percent) => {
        const text = character.repeat(Math.ceil((tokens * 4 * percent) / 100 / Buffer.byteLength(character)));
        const bytes = Buffer.byteLength(compactOutput(text, tokens));
        expect(bytes).toBeGreaterThanOrEqual(Math.min(Buffer.byteLength(text), tokens * 4 - 32));
      },
    ),
  );
});

test("a text slightly above the limit keeps its head and its tail, whatever its characters", () => {
  for (const word of ["x", "ё", "漢", "🐑"]) {
    const bytes = Buffer.byteLength(word);
    for (const excess of [1, 1.1, 1.2]) {
      const short = compactOutput(word.repeat(Math.ceil((16_000 * excess) / bytes) + 1), 4_000);
      const [head = "", tail = ""] = short.split(/\n\[…[^\n]*\n/);
      const sizes = [head, tail].map((part) => Buffer.byteLength(part));
      expect([word, excess, ...sizes]).toEqual([word, excess, expect.closeTo(9_540, -2), expect.closeTo(6_360, -2)]);
    }
  }
});

test("a text in any script is cut to the same number of tokens", () => {
  for (const word of ["sheep ", "овца ", "羊", "🐑"]) {
    const short = compactOutput(word.repeat(10_000), 500);
    expect([word, estimateTokens(short)]).toEqual([word, expect.closeTo(495, -1)]);
  }
});

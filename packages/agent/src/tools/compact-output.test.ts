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

test("a text in any script is cut to the same number of tokens", () => {
  for (const word of ["sheep ", "овца ", "羊", "🐑"]) {
    const short = compactOutput(word.repeat(10_000), 500);
    expect([word, estimateTokens(short)]).toEqual([word, expect.closeTo(495, -1)]);
  }
});

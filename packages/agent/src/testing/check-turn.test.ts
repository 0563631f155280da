import { expect, test } from "vitest";
import { checkTurn } from "./check-turn.ts";

test.each([
  [
    "Hello",
    'Turn 3 of the script is "Hello"; a turn is an object such as { text: "…" }, or a function that returns one.',
  ],
  [
    undefined,
    'Turn 3 of the script is undefined; a turn is an object such as { text: "…" }, or a function that returns one.',
  ],
  [
    { txt: "Hello" },
    'Turn 3 of the script has "txt", which is not a field of a turn; the fields are thinking, signature, text, calls,',
  ],
  [{ text: 5 }, 'Turn 3 of the script has 5 as "text", which must be a string.'],
  [{ calls: {} }, 'Turn 3 of the script has {} as "calls", which must be a list.'],
  [
    { calls: [{ name: "read" }] },
    'Turn 3 of the script has a call without a tool; a call is { tool: "…", input: {…} }.',
  ],
  [
    { fault: { type: "flood" } },
    'Turn 3 of the script has a fault of type "flood"; the types are status, context-too-long,',
  ],
  [{ delayMs: -1 }, 'Turn 3 of the script has -1 as "delayMs", which must be a number.'],
  [{ deltaChars: 0 }, 'Turn 3 of the script has 0 as "deltaChars"; a delta has at least 1 character.'],
])("%j is refused with a sentence", (turn, sentence) => {
  expect(() => checkTurn(turn, 3)).toThrow(sentence);
});

test("a valid turn passes", () => {
  expect(() =>
    checkTurn({ text: "Hi", calls: [{ tool: "read" }], usage: null, stop: { raw: null }, fault: { type: "eof" } }, 0),
  ).not.toThrow();
});

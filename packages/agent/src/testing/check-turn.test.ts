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
    'Turn 3 of the script has "txt", which is no part of a turn; those are thinking, signature, text, calls,',
  ],
  [{ text: 5 }, 'Turn 3 of the script has 5 as "text", where a text belongs.'],
  [{ calls: {} }, 'Turn 3 of the script has {} as "calls", where a list belongs.'],
  [
    { calls: [{ name: "read" }] },
    'Turn 3 of the script has a call without a tool; a call is { tool: "…", input: {…} }.',
  ],
  [
    { fault: { type: "flood" } },
    'Turn 3 of the script has a fault of type "flood"; there are status, context-too-long,',
  ],
  [{ delayMs: -1 }, 'Turn 3 of the script has -1 as "delayMs", where a number belongs.'],
  [{ deltaChars: 0 }, 'Turn 3 of the script has 0 as "deltaChars"; a delta has at least 1 character.'],
])("%j is told what is wrong with it", (turn, sentence) => {
  expect(() => checkTurn(turn, 3)).toThrow(sentence);
});

test("a turn that is one passes", () => {
  expect(() =>
    checkTurn({ text: "Hi", calls: [{ tool: "read" }], usage: null, stop: { raw: null }, fault: { type: "eof" } }, 0),
  ).not.toThrow();
});

import { describe, expect, test } from "vitest";
import { findLongLines, findWords } from "./check-words.mjs";

const found = (text, file = "a.ts") => findWords(file, text).map((finding) => /"(.*?)"/.exec(finding)?.[1]);

describe("words", () => {
  test("are found in identifiers, comments and messages, with line and replacement", () => {
    expect(findWords("a.ts", "// fine\nconst bookedTo = 1;")).toEqual([
      'a.ts:2: "booked"; use: ledger, recorded, record()',
    ]);
    expect(found("run.lastWill() // It goes on.")).toEqual(["goes on", "last Will"]);
    expect(found("keepShape(x); the_books; HTTPDoor")).toEqual(["books", "Door", "keepShape"]);
  });

  test("are found in file names", () => {
    expect(findWords("src/run-door.ts", "")).toEqual([
      'src/run-door.ts: name has "door"; use: entry (of a package); command definition, handler (of a command)',
    ]);
    expect(findWords("src/call-out.ts", "")).toHaveLength(1);
  });

  test("are found across a line break, once", () => {
    expect(findWords("a.ts", " * The run goes\n * on at the next line.")).toEqual([
      'a.ts:2: "goes on"; use: continue, is running, resume',
    ]);
    expect(found("It goes on\nand ends.")).toEqual(["goes on"]);
  });

  test("are whole words: longer words pass", () => {
    expect(found("notebooks, indoor, indeed, node, nodes, bedroom, challenge, wholesome")).toEqual([]);
    expect(found("notebooksDir; indoorPath; is-node; goOnline()")).toEqual([]);
  });

  test("have their other meaning: space, and a call of a function named book only", () => {
    expect(found("There is room for more.", "packages/sheepdog/src/a.ts")).toEqual([]);
    expect(found("the room of a command", "packages/sheepdog/src/a.ts")).toEqual(["room"]);
    expect(found("const room = 3;", "packages/agent/src/a.ts")).toEqual([]);
    expect(found('call("book_flight")')).toEqual([]);
    expect(found("book(run, 3)")).toEqual(["book"]);
  });
});

describe("long lines", () => {
  const long = "x".repeat(121);

  test("are found in code and prose", () => {
    expect(findLongLines("a.md", `ok\n${long}`)).toEqual(["a.md:2: 121 columns; the limit is 120"]);
    expect(findLongLines("a.ts", "x".repeat(120))).toEqual([]);
  });

  test("are allowed in tables, with a long URL and in data", () => {
    expect(findLongLines("a.md", `| ${long} |`)).toEqual([]);
    expect(findLongLines("a.ts", `// see https://example.com/${long}`)).toEqual([]);
    expect(findLongLines("a.json", long)).toEqual([]);
  });
});

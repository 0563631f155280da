import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

test("a source that breaks is told in a sentence", async () => {
  const source = (async function* () {
    yield Buffer.from("Do ");
    throw new Error("EIO: i/o error, read");
  })();
  expect(await readText(source, "stdin")).toEqual({ problem: "stdin: it cannot be read (EIO: i/o error, read)" });
});

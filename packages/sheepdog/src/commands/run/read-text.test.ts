import { expect, test } from "vitest";
import { readTextStream } from "./read-text.ts";

test("a stream that fails is a problem in one sentence", async () => {
  const source = (async function* () {
    yield Buffer.from("Do ");
    throw new Error("EIO: i/o error, read");
  })();
  expect(await readTextStream(source, "stdin")).toEqual({ problem: "stdin: it cannot be read (EIO: i/o error, read)" });
});

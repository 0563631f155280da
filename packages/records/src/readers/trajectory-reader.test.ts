import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { bytes, collected } from "../../test/builders.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { readRecording } from "./read-recording.ts";

const line = (id: string) => `{"id":"${id}","steps":[]}\n`;
const read = (...chunks: (string | Uint8Array)[]) => collected(readRecording(bytes(...chunks), "a.jsonl"));
const ids = ({ runs }: { runs: { id: string }[] }) => runs.map((run) => run.id);

describe("reading trajectory JSONL", () => {
  test("a byte order mark, CRLF, blank lines and a missing last newline are fine", async () => {
    const result = await read(`\uFEFF{"id":"a","steps":[]}\r\n\r\n   \n{"id":"b","steps":[]}`);
    expect(ids(result)).toEqual(["a", "b"]);
    expect(result.skipped).toEqual([]);
  });

  test("chunks may end anywhere, in the middle of a character too", async () => {
    const bothLines = Buffer.from(line("größe") + line("羊"));
    expect(ids(await read(...Array.from(bothLines, (_, index) => bothLines.subarray(index, index + 1))))).toEqual([
      "größe",
      "羊",
    ]);
  });

  test("a bad line is skipped with a sentence and its number, and the next is read", async () => {
    const result = await read(line("a"), "{oops}\n", "[]\n", '{"id":"b"}\n', '{"steps":[', "\n", line("c"));
    expect(ids(result)).toEqual(["a", "c"]);
    expect(result.skipped).toEqual([
      {
        file: "a.jsonl",
        line: 2,
        why: "this is not JSON (it breaks at position 1); every line must hold one run as a JSON object",
      },
      { file: "a.jsonl", line: 3, why: "this line is a list; it must be an object" },
      { file: "a.jsonl", line: 4, why: "steps is missing; it must be a list" },
      {
        file: "a.jsonl",
        line: 5,
        why: "this is not JSON (it ends too early); every line must hold one run as a JSON object",
      },
    ]);
  });

  test("a line that is too long is skipped, and reading continues at the next newline", async () => {
    const part = Buffer.alloc(8 * 1024 * 1024, "x");
    const parts = Array.from({ length: MAX_LINE_BYTES / part.length + 1 }, () => part);
    const result = await read(line("a"), ...parts, "\n", line("b"));
    expect(ids(result)).toEqual(["a", "b"]);
    expect(result.skipped).toEqual([
      { file: "a.jsonl", line: 2, why: "this line is longer than 64 MiB; a run must fit into that" },
    ]);
  });

  test("an empty file, a blank one and a binary one are each reported with their own sentence", async () => {
    expect((await read("")).skipped).toEqual([{ file: "a.jsonl", line: 0, why: "it is empty" }]);
    expect((await read("\n\n")).skipped).toEqual([
      { file: "a.jsonl", line: 0, why: "it holds blank lines only, no run" },
    ]);
    expect((await read(new Uint8Array([137, 80, 78, 71, 0, 10, 0, 10]))).skipped).toEqual([
      { file: "a.jsonl", line: 0, why: "it is binary, not text; a recording is JSONL in UTF-8, plain or packed" },
    ]);
  });

  test("a run without an id is named after its file and line", async () => {
    expect(ids(await read(line("a"), '{"steps":[]}\n'))).toEqual(["a", "a.jsonl:2"]);
  });
});

describe("reading a file in a format of others", () => {
  const read = (text: string) => collected(readRecording(bytes(text), "a.jsonl"));

  test("says so once, also when each line has an id", async () => {
    const lines = [1, 2, 3].map((id) => JSON.stringify({ id, message: { role: "user", content: "hello" } }));
    const { skipped } = await read(lines.join("\n"));
    expect(skipped.map(({ line, why }) => [line, why.slice(0, 29)])).toEqual([[0, "it holds lines of JSON, in no"]]);
  });

  test("says so once of events with an id and a kind", async () => {
    const { skipped } = await read(`{"id":"1","kind":"MessageEvent"}\n{"id":"2","kind":"ActionEvent"}\n`);
    expect(skipped).toMatchObject([{ line: 0, why: expect.stringMatching(/^it holds lines of JSON, in no format/) }]);
  });

  test("says so once of text that is not JSON", async () => {
    const { skipped } = await read("12:00 INFO started\n\n12:01 INFO stopped\n");
    expect(skipped.map(({ line, why }) => [line, why.slice(0, 30)])).toEqual([[0, "it holds text that is not JSON"]]);
  });

  test("says so once of a document over several lines", async () => {
    const { skipped } = await read(JSON.stringify({ is_meta: true, parts: ["one"] }, null, 2));
    expect(skipped.map(({ line, why }) => [line, why.slice(0, 29)])).toEqual([[0, "it holds a JSON document, in "]]);
  });

  test("a run over several lines is told that it must be in one", async () => {
    const { skipped } = await read(JSON.stringify({ id: "r", steps: [] }, null, 2));
    expect(skipped[0]?.why).toContain("every line must hold one run as a JSON object");
  });
});

describe("reading gzip", () => {
  const noise = (seed: number) =>
    Array.from({ length: 2_000 }, (_, i) => Math.imul(seed + i, 2_654_435_761).toString(36)).join("");
  const many = Array.from({ length: 200 }, (_, i) => `{"id":"${i}","task":"${noise(i * 7_919)}","steps":[]}\n`).join(
    "",
  );

  test("is recognised by its first bytes in any chunks, and may have several members", async () => {
    const packed = Buffer.concat([gzipSync(line("a")), gzipSync(line("b"))]);
    expect(ids(await read(packed.subarray(0, 1), packed.subarray(1, 2), packed.subarray(2)))).toEqual(["a", "b"]);
  });

  test("that ends too early yields the runs before the end and one skipped item", async () => {
    const packed = gzipSync(many);
    const result = await read(packed.subarray(0, packed.length / 2));
    expect(result.runs.length).toBeGreaterThan(50);
    expect(result.skipped).toEqual([
      { file: "a.jsonl", line: result.runs.length + 1, why: "the gzip data end too early; what came before was read" },
    ]);
  });

  test("that is damaged yields the runs before the damage and one skipped item", async () => {
    const packed = gzipSync(many);
    const middle = packed.length >> 1;
    packed.fill(0xff, middle, middle + 500);
    const result = await read(packed);
    expect(result.runs.length).toBeGreaterThan(50);
    expect(result.skipped.at(-1)?.why).toBe("the gzip data are damaged from here on; what came before was read");
  });

  test("without one readable line is reported as not read at all", async () => {
    const damaged = gzipSync(many).fill(0xff, 40, 500);
    for (const packed of [Buffer.from("\u001f\u008bhello, no gzip at all", "latin1"), damaged]) {
      expect(await read(packed)).toEqual({
        runs: [],
        skipped: [
          {
            file: "a.jsonl",
            line: 0,
            why: "it begins like gzip, but it is not gzip or is damaged within the first line; nothing was read",
          },
        ],
      });
    }
    for (const packed of [Buffer.from([0x1f, 0x8b]), gzipSync(line("a")).subarray(0, 20)]) {
      expect((await read(packed)).skipped).toEqual([
        { file: "a.jsonl", line: 0, why: "the gzip data end too early, within the first line; nothing was read" },
      ]);
    }
  });
});

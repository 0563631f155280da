import * as zlib from "node:zlib";
import { expect, test } from "vitest";
import { bytes, collected } from "../../test/builders.ts";
import { readRecording } from "./read-recording.ts";

/** {"id":"r","steps":[{"turn":0,"text":"packed","calls":[]}]} */
const packed = Buffer.from(
  "KLUv/QRY2QEAeyJpZCI6InIiLCJzdGVwcyI6W3sidHVybiI6MCwidGV4dCI6InBhY2tlZCIsImNhbGxzIjpbXX1dfQr9opj1",
  "base64",
);
const read = (...chunks: Uint8Array[]) => collected(readRecording(bytes(...chunks), "a.jsonl"));
const canUnpackZstd = "createZstdDecompress" in zlib;

test.runIf(canUnpackZstd)("Zstandard is recognised by its first bytes, however they arrive", async () => {
  const run = { id: "r", steps: [{ turn: 0, text: "packed", calls: [] }] };
  expect(await read(packed)).toEqual({ runs: [run], skipped: [] });
  expect(await read(...[...packed].map((byte) => Buffer.from([byte])))).toEqual({ runs: [run], skipped: [] });
});

test.runIf(canUnpackZstd)("damaged Zstandard is reported", async () => {
  const damaged = Buffer.from(packed);
  damaged.fill(0xff, 5, 30);
  const { runs, skipped } = await read(damaged);
  expect(runs).toEqual([]);
  expect(skipped[0]?.why).toContain("it begins like Zstandard");
});

test.skipIf(canUnpackZstd)("a version of Node that cannot unpack Zstandard says which one can", async () => {
  expect(await read(packed)).toEqual({
    runs: [],
    skipped: [
      {
        file: "a.jsonl",
        line: 0,
        why:
          "it is packed with Zstandard, which Node can unpack from version 22.15 on; " +
          `this is Node ${process.versions.node}`,
      },
    ],
  });
});

test("gzip that arrives byte by byte is unpacked", async () => {
  const gzip = zlib.gzipSync('{"id":"r","steps":[]}\n');
  expect(await read(...[...gzip].map((byte) => Buffer.from([byte])))).toEqual({
    runs: [{ id: "r", steps: [] }],
    skipped: [],
  });
});

test("a text that only begins like packed data is text", async () => {
  expect((await read(Buffer.from("(")))?.skipped).toHaveLength(1);
});

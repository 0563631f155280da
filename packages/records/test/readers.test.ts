import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRecording } from "../src/index.ts";
import { documentReaders, knownReaders, lineReaders } from "../src/readers/known-readers.ts";
import { isObject, parseJson } from "../src/trajectory/parse-json.ts";
import { bytes, collected } from "./builders.ts";
import { fixtureFiles, fixturesHome } from "./fixtures/read-fixtures.ts";

/** Every reader reports what it cannot use and never throws or hangs, whatever happened to a recording. */

/** More of a file is not damaged here: the tests of its reader do that. */
const MAX_BYTES = 200_000;

const texts = fixtureFiles()
  .filter((file) => /\.(?:jsonl?|ndjson)\b/.test(file))
  .map((file) => ({ file, content: readFileSync(join(fixturesHome, file)) }))
  .filter(({ content }) => content.length < MAX_BYTES);

async function readBytes(content: Uint8Array | string, file = "recording") {
  return await collected(readRecording(bytes(content), file));
}

/** Everything that can be said of a reading: each item has its place and a reason, and each run its steps in order. */
async function expectSound(content: Uint8Array | string): Promise<void> {
  const { runs, skipped } = await readBytes(content);
  expect(runs.length + skipped.length).toBeGreaterThan(0);
  for (const { why, line } of skipped) {
    expect(why).toMatch(/\S/);
    expect(line).toBeGreaterThanOrEqual(0);
  }
  for (const run of runs) {
    expect(run.id).toMatch(/\S/);
    JSON.stringify(run);
    for (const { usage } of run.steps) {
      const amounts = [usage?.inputTokens, usage?.outputTokens, usage?.costUsd].filter(
        (amount) => amount !== undefined,
      );
      for (const amount of amounts) expect(amount).toBeGreaterThanOrEqual(0);
    }
  }
}

const lines = (content: Buffer) => content.toString("utf8").split("\n").filter(Boolean);
const anyText = fc.constantFrom(...texts);

describe("a recording that is damaged is read as far as possible", () => {
  test.each(texts.map(({ file, content }) => [file, content] as const))("%s, whole", async (_, content) => {
    await expectSound(content);
  });

  test("cut off at any byte", async () => {
    const cut = fc.tuple(anyText, fc.double({ min: 0, max: 1, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(cut, ([{ content }, part]) =>
        expectSound(content.subarray(0, Math.floor(content.length * part))),
      ),
      { numRuns: 200 },
    );
  });

  test("with bits flipped", async () => {
    const flips = fc.tuple(anyText, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 7 })), { minLength: 1, maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(flips, async ([{ content }, bits]) => {
        const damaged = Buffer.from(content);
        for (const [at, bit] of bits) {
          const index = at % damaged.length;
          damaged[index] = (damaged[index] ?? 0) ^ (1 << bit);
        }
        await expectSound(damaged);
      }),
      { numRuns: 200 },
    );
  });

  test("with its lines in any order", async () => {
    const shuffled = anyText.chain(({ content }) => {
      const all = lines(content);
      return fc.shuffledSubarray(all, { minLength: Math.min(1, all.length), maxLength: all.length });
    });
    await fc.assert(
      fc.asyncProperty(shuffled, (some) => expectSound(some.join("\n"))),
      { numRuns: 100 },
    );
  });

  test("with lines of another recording in between", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, fc.array(fc.boolean(), { maxLength: 60 }), (one, other, choices) => {
        const [own, foreign] = [lines(one.content), lines(other.content)];
        const mixed = choices.flatMap((isOwn) => (isOwn ? own : foreign).shift() ?? []);
        return expectSound([...mixed, ...own, ...foreign].join("\n"));
      }),
      { numRuns: 100 },
    );
  });

  test("with values of other types", async () => {
    const replaced = fc.tuple(anyText, fc.nat(), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(replaced, ([{ content }, index, value]) => {
        const parsed = lines(content).map(parseJson);
        let count = 0;
        const change = (item: unknown): unknown => {
          if (count++ === index % 300) return value;
          if (Array.isArray(item)) return item.map(change);
          if (!isObject(item)) return item;
          return Object.fromEntries(Object.entries(item).map(([name, each]) => [name, change(each)]));
        };
        return expectSound(parsed.map((line) => JSON.stringify(line.ok ? change(line.value) : "")).join("\n"));
      }),
      { numRuns: 300 },
    );
  });
});

test("the name of a file says nothing about its format", async () => {
  for (const { content } of texts) {
    const under = async (name: string) =>
      JSON.stringify(await readBytes(content, name)).replaceAll(JSON.stringify(name).slice(1, -1), "");
    expect(await under("notes.txt")).toBe(await under("rollout-2026.jsonl"));
  }
});

/** The formats that recognize a file: lines first, and a document only if no reader of lines does. */
function recognizedBy(content: Buffer): readonly string[] {
  const objects = lines(content).flatMap((line) => {
    const parsed = parseJson(line);
    return parsed.ok && isObject(parsed.value) ? [parsed.value] : [];
  });
  const document = parseJson(content.toString("utf8"));
  const isIndented = document.ok && lines(content).length > 1;
  const byLine = isIndented ? [] : lineReaders.filter(({ recognizes }) => recognizes(objects.slice(0, 50)));
  const byDocument = document.ok ? documentReaders.filter(({ recognizes }) => recognizes(document.value)) : [];
  return [...new Set([...byLine, ...byDocument].map(({ format }) => format))];
}

test("no recording is recognized by readers of two formats", () => {
  for (const { file, content } of texts) {
    const formats = recognizedBy(content);
    expect([file, formats]).toEqual([file, formats.slice(0, 1)]);
  }
});

test.each([
  [".pi", "pi"],
  [".openclaw", "pi"],
  [".copilot/otel", "opentelemetry"],
  ["otel", "opentelemetry"],
  ["logs/openai", "openai-chat"],
  [".sheepdog/logs", "sheepdog"],
])("the recordings in %s are in the format %s", (folder, format) => {
  const files = texts.filter(({ file }) => file.startsWith(`${folder}/`));
  expect(files.map(({ content }) => recognizedBy(content))).toEqual(files.map(() => [format]));
  expect(files.length).toBeGreaterThan(0);
});

test("every format is named once for each kind of file", () => {
  const names = knownReaders.map(({ type, format }) => `${type} ${format}`);
  expect(names).toEqual([...new Set(names)]);
});

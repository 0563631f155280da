import { readdirSync, readFileSync } from "node:fs";
import { parse } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../src/index.ts";
import { findFolderReader } from "../src/readers/folder-reader.ts";
import {
  databaseReaders,
  documentReaders,
  folderReaders,
  knownReaders,
  lineReaders,
} from "../src/readers/known-readers.ts";
import { isObject, parseJson } from "../src/trajectory/parse-json.ts";
import { createDatabase } from "./fixtures/databases/create-database.ts";
import { fillGooseDatabase } from "./fixtures/databases/goose-database.ts";
import { fillHermesDatabase } from "./fixtures/databases/hermes-database.ts";
import { fillOpencodeDatabase } from "./fixtures/databases/opencode-database.ts";
import { fixtureFiles, fixturePath } from "./fixtures/home.ts";
import { readText } from "./read-text.ts";

/** Every reader reports what it cannot use and never throws or hangs, whatever happened to a recording. */

/** More of a file is not damaged here: the tests of its reader do that. */
const MAX_BYTES = 200_000;

const texts = fixtureFiles()
  .filter((file) => /\.(?:jsonl?|ndjson)\b/.test(file))
  .map((file) => ({ file, content: readFileSync(fixturePath(file)) }))
  .filter(({ content }) => content.length < MAX_BYTES);

/** Everything that can be said of a reading: each item has its place and a reason, and each run its steps in order. */
async function expectSound(content: Uint8Array | string): Promise<void> {
  const { runs, skipped } = await readText(content);
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

test("the name of a file says nothing about its format, and at most gives a run its id", async () => {
  for (const { content } of texts) {
    const under = async (file: string) =>
      JSON.stringify(await readText(content, file))
        .replaceAll(file, "")
        .replaceAll(parse(file).name, "");
    expect(await under("some-download.txt")).toBe(await under("rollout-2026.jsonl"));
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

/** The formats of all fixtures, by the beginning of their paths. The last one that fits counts. */
const formatsOf: Readonly<Record<string, readonly string[]>> = {
  ".claude/": ["claude-code"],
  ".codex/": ["codex"],
  ".codex/sessions/2025/": ["codex", "openai-chat"], // behind its first line, it has items of OpenAI and nothing else
  ".copilot/": ["opentelemetry"],
  ".gemini/": ["gemini-cli"],
  ".local/share/goose/": ["goose"],
  ".local/share/opencode/storage/": [], // parts of a folder that is a recording
  ".openclaw/": ["pi"],
  ".openhands/conversations/": [], // the same
  ".pi/": ["pi"],
  ".qwen/": ["qwen-code"],
  ".sheepdog/attach/": ["sheepdog-hooks"],
  ".sheepdog/logs/": ["sheepdog"],
  "exports/opencode-": ["opencode"],
  "exports/openhands-": ["openhands"],
  "logs/anthropic-": ["anthropic-messages", "openai-chat"], // a message is one of either, too
  "logs/claude-stream": ["claude-stream"],
  "logs/openai/": ["openai-chat"],
  "otel/": ["opentelemetry"],
  "shop/codex-exec": ["codex"],
};

test("every recording is recognized by the readers of its format, and by no other", () => {
  const expected = texts.map(({ file }) => {
    const prefix = Object.keys(formatsOf).findLast((start) => file.startsWith(start));
    return [file, formatsOf[prefix ?? ""]];
  });
  expect(texts.map(({ file, content }) => [file, recognizedBy(content)])).toEqual(expected);
});

test.each([
  ["goose", fillGooseDatabase],
  ["hermes", fillHermesDatabase],
  ["opencode", fillOpencodeDatabase],
])("a database of %s is recognized by its reader, and by no other", async (format, fill) => {
  const database = await openDatabase(await createDatabase("renamed.db", fill));
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  database.close();
  const tables = new Set((rows as readonly { readonly name: string }[]).map(({ name }) => name)); // the query names it
  const recognizing = databaseReaders.filter((reader) => reader.recognizes(tables));
  expect(recognizing.map((reader) => reader.format)).toEqual([format]);
});

test.each([
  [".local/share/opencode/storage", "opencode"],
  [".openhands/conversations/0b7d5f2e-6a1c-4a53-9e57-3c1f8b0d4e21", "openhands"],
])("the folder %s is recognized by the reader of %s, and by no other", async (folder, format) => {
  expect((await findFolderReader(fixturePath(folder)))?.format).toBe(format);
  const names = new Set(readdirSync(fixturePath(folder)));
  const answers = await Promise.all(folderReaders.map((reader) => reader.recognizes(names, fixturePath(folder))));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test("every reader is covered by a recording", () => {
  const covered = new Set([...Object.values(formatsOf).flat(), "goose", "hermes", "opencode", "openhands"]);
  expect(knownReaders.filter(({ format }) => !covered.has(format))).toEqual([]);
});

import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { emptyStream, inspectStream } from "../src/detect/stream-repetition.ts";
import type { Channel } from "../src/signal.ts";
import type { Chant } from "../src/state/stream.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const channels: readonly Channel[] = ["text", "thinking", "tool-input"];

/** A seeded source of whole numbers from 0 up to, not including, the limit. */
function dice(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

interface FoundChant extends Chant {
  /** Characters streamed when it was found. */
  readonly at: number;
  /** The text without the surplus. */
  readonly kept: string;
}

/** Streams a text in deltas of at most `maxDelta` characters until a chant is found. */
function findChant(
  text: string,
  { seed, maxDelta }: { readonly seed: number; readonly maxDelta: number },
): FoundChant | undefined {
  const below = dice(seed);
  let stream = emptyStream;
  for (let at = 0; at < text.length; ) {
    const delta = text.slice(at, at + 1 + below(maxDelta));
    at += delta.length;
    const inspected = inspectStream(stream, delta);
    stream = inspected.stream;
    if (inspected.chant !== undefined)
      return { ...inspected.chant, at: at - stream.fresh, kept: text.slice(0, at - inspected.chant.surplus) };
  }
  return undefined;
}

/** A sentence about each alarm a text gives, spoken, thought, and as the escaped content of a tool's input. */
function alarms(name: string, text: string, seed: number): readonly string[] {
  const maxDelta = text.length > 20_000 ? 2_000 : 60; // a large file is cut less finely, to be done soon
  return channels.flatMap((channel) => {
    const streamed = channel === "tool-input" ? JSON.stringify({ path: "a.txt", content: text }) : text;
    const chant = findChant(streamed, { seed, maxDelta });
    return chant === undefined
      ? []
      : [
          `${name}, ${channel}, seed ${seed}: ${chant.repeats.toFixed(1)} × ` +
            `${JSON.stringify(chant.kept.slice(-chant.period))}`,
        ];
  });
}

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join("\n");
}

function fill(count: number, piece: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => piece(i)).join("");
}

const nouns = (
  "lamp river anchor copper garden window ladder kettle thunder pebble harbour meadow lantern barrel " +
  "feather compass orchard saddle cellar bridge"
).split(" ");
const verbs = "opens carries follows counts paints mends borrows wakes answers measures gathers leaves".split(" ");
const roll = dice(20_260);
const noun = (): string => nouns[roll(nouns.length)] ?? "thing";
const verb = (): string => verbs[roll(verbs.length)] ?? "does";
const number = (limit = 1_000): number => roll(limit);
const hex = (digits: number): string => fill(digits, () => roll(16).toString(16));
const word = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const sentence = (): string =>
  `${word(noun())} ${verb()} the ${noun()} while the ${noun()} ${verb()} ${number()} of them.`;
const clock = (i: number): string =>
  `2026-01-02T10:${String(Math.floor(i / 60) % 60).padStart(2, "0")}:${String(i % 60).padStart(2, "0")}` +
  `.${String((i * 37) % 1_000).padStart(3, "0")}Z`;

/** Bytes with the stretches of zeros that real files have: mixed data, then padding, again and again. */
function padded(sizes: readonly number[]): Buffer {
  return Buffer.concat(
    sizes.flatMap((zeros) => [
      Buffer.from(Array.from({ length: 150 + roll(200) }, () => roll(256))),
      Buffer.alloc(zeros),
    ]),
  );
}

/** A file in a tar: a header of text fields in zeros, content, padding up to the block. */
function tar(): Buffer {
  const files = Array.from({ length: 6 }, (_, i) => {
    const content = Buffer.from(lines(4 + i * 3, sentence));
    const header = Buffer.alloc(512);
    header.write(`package/${noun()}-${i}.txt`, 0);
    header.write(
      `0000644\0 0001750\0 0001750\0 ${content.length.toString(8).padStart(11, "0")} 14512345670 ` +
        `012${number(899) + 100}\0 0`,
      100,
    );
    header.write("ustar\x0000shepherd", 257);
    return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  });
  return Buffer.concat([...files, Buffer.alloc(1_024), Buffer.from("end of what was archived")]);
}

function wrapped(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, "g"), "$&\n");
}

/** A dump of rows of bytes. */
function dump(bytes: Buffer, row: (at: number, cells: readonly string[], shown: string) => string): string {
  return lines(Math.floor(bytes.length / 16), (i) => {
    const part = bytes.subarray(i * 16, i * 16 + 16);
    const cells = Array.from(part, (byte) => byte.toString(16).padStart(2, "0"));
    return row(
      i * 16,
      cells,
      Array.from(part, (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".")).join(""),
    );
  });
}

const bytes = padded([40, 300, 90, 640, 16, 200]);
const cell = '      <td class="number">0</td>\n';
const card =
  '<div class="card"><img src="placeholder.png" alt=""><h3>Title</h3><p>A short text that will be replaced ' +
  'once the real one is there.</p><a href="#">More</a></div>\n';
const refrain = "  Row the lantern over, over,\n  row the lantern home.\n";

/** Texts people write and machines print that repeat without being stuck. */
const written: Readonly<Record<string, string>> = {
  prose: fill(80, () => `${sentence()} `),
  "a thought of short sentences": fill(60, () => `Wait, the ${noun()} ${verb()}. Let me check the ${noun()}. `),
  "a bulleted list": lines(60, () => `- ${noun()} ${verb()}`),
  "a numbered list with one text": lines(60, (i) => `${i + 1}. Check the harbour and write down what it holds`),
  "a to-do list with long common prefixes": lines(
    50,
    (i) => `- [ ] Move the handlers of the module in packages/harbour/src/feature-${i * 3} to the new interface`,
  ),
  "a nested list": lines(60, (i) => `${"  ".repeat(i % 4)}* ${noun()}`),
  "translations, word by word": lines(60, () => `${noun()} → ${noun()} (${verb()})`),
  "translations, a sentence in several languages": lines(
    24,
    () => `EN: The ${noun()} is here.\nDE: ${word(noun())} ist hier.\nFR: ${word(noun())} est ici.\n`,
  ),
  "a glossary": lines(40, () => `**${noun()}**: something that ${verb()} a ${noun()}`),
  "a chat with short answers": lines(60, () => `User: is the ${noun()} ready?\nAgent: yes`),
  "a song with a refrain": fill(
    8,
    () =>
      `The ${noun()} ${verb()} the ${noun()},\nthe ${noun()} ${verb()} the ${noun()} still.\n\n${refrain}${refrain}\n`,
  ),
  "a litany": lines(40, () => `For the ${noun()} and the ${noun()}: we give thanks, we give thanks.`),
  "a counting rhyme": lines(
    40,
    (i) => `${40 - i} grey geese on the garden wall, ${40 - i} grey geese, and one flew off:`,
  ),
  "a nursery of la la la": fill(12, () => `${"la ".repeat(30)}sang the ${noun()},\n`),
  "laughter in moderation": `He said: ${"ha".repeat(120)}! And then he told us about the ${noun()}.`,
  "a scream": `Nooo${"o".repeat(250)}! cried the ${noun()}.`,
  "a log": lines(80, (i) => `${clock(i)} INFO  worker-${i % 4} took ${number()} ms for ${noun()}`),
  "a log of one message": lines(80, (i) => `${clock(i)} WARN  connection refused, trying again in 5 s`),
  "a quoted log": lines(60, (i) => `> ${clock(i)} ERROR could not open the ${noun()}`),
  "an access log": lines(
    60,
    (i) =>
      `10.0.${number(255)}.${number(255)} - - [02/Jan/2026:10:00:${i % 60} +0000] "GET /${noun()} ` +
      `HTTP/1.1" 200 ${number(90_000)}`,
  ),
  "a test run": lines(80, () => `  ✓ ${noun()} ${verb()} the ${noun()} (${number(90)} ms)`),
  "dots of a test run": lines(14, () => `${".".repeat(76)} [${number(99)}%]`),
  "progress bars": lines(40, (i) => `[${"█".repeat(i)}${"░".repeat(40 - i)}] ${i * 2.5} %`),
  "a stack trace": lines(
    40,
    () => `    at ${noun()}.${verb()} (src/${noun()}/${noun()}.ts:${number(900)}:${number(80)})`,
  ),
  "a deep recursion's trace": lines(
    40,
    (i) => `  File "walk.py", line ${12 + (i % 9)}, in visit\n    return visit(node.children[${i}])`,
  ),
  "a diff": lines(80, () => `${["+", "-", " "][number(3)]}  ${verb()}(${noun()}, ${noun()});`),
  "a directory tree": lines(60, (i) => `${"│   ".repeat(i % 5)}├── ${noun()}-${i}.ts`),
  CSV: lines(80, (i) => `${i},${noun()},${number()},${number() / 10},,,,${verb()}`),
  "CSV with empty cells": lines(30, (i) => `${i}${",".repeat(60)}`),
  TSV: lines(60, (i) => `${i}\t${noun()}\t\t\t\t0\t0`),
  "CSV of zeros": lines(20, () => Array(40).fill("0").join(",")),
  "a table": `| name | of | count |\n|---|---|---|\n${lines(60, () => `| ${noun()} | ${noun()} | ${number()} |`)}`,
  "a table of many columns": [" a |", " --- |", " 0 |", " 1 |"].map((cell) => `|${cell.repeat(40)}`).join("\n"),
  "a table with empty cells": lines(20, (i) => `| ${i} |${"   |".repeat(20)}`),
  "a table of ticks": lines(30, () => `| ${noun()} | ✓ | ✓ | ✗ | ✓ | ✓ | ✓ |`),
  "a table in a box": lines(20, () => `├────────────┼────────────┤\n│ ${noun().padEnd(10)} │ ${verb().padEnd(10)} │`),
  "JSON records": JSON.stringify(
    Array.from({ length: 40 }, (_, i) => ({ id: i, name: noun(), isReady: true, tags: [], parent: null })),
  ),
  "JSON records, indented": JSON.stringify(
    Array.from({ length: 40 }, (_, i) => ({ id: i, name: noun(), isReady: true, tags: [], parent: null })),
    null,
    2,
  ),
  "JSON of zeros": JSON.stringify(Array(500).fill(0)),
  "JSON of zeros, indented": JSON.stringify(Array(200).fill(0), null, 2),
  "JSON of empty lists": JSON.stringify(Array(400).fill([])),
  "JSON of empty strings": JSON.stringify(Array(300).fill("")),
  "JSON of nulls": JSON.stringify({ cells: Array(300).fill(null), name: noun() }),
  "JSON of flags": JSON.stringify(Array(200).fill(false), null, 1),
  "JSON lines": lines(60, (i) => JSON.stringify({ at: clock(i), level: "info", message: "the same as before" })),
  "escaped JSON in JSON": JSON.stringify(
    JSON.stringify(Array.from({ length: 40 }, (_, i) => ({ id: i, text: "line one\nline two\n" }))),
  ),
  GeoJSON: JSON.stringify(Array.from({ length: 80 }, () => [number() / 100, number() / 100])),
  "SQL inserts": lines(50, (i) => `INSERT INTO harbour (id, name, depth, note) VALUES (${i}, '${noun()}', 0.0, NULL);`),
  "one SQL insert of many rows": [
    "INSERT INTO harbour VALUES",
    lines(60, (i) => `  (${i}, '${noun()}', 0, 0, 0, NULL, NULL, NULL),`),
  ].join("\n"),
  "a matrix of zeros": lines(20, () => `[${Array(20).fill("0").join(", ")}],`),
  "a matrix of zeros as floats": lines(16, () => `    { ${Array(12).fill("0.0f").join(", ")} },`),
  "a matrix of zeros in columns": lines(16, () => "   0.000".repeat(10)),
  "a matrix as arrays are printed": lines(30, () => ` [${Array(10).fill("0.").join(" ")}]`),
  "an identity matrix": lines(24, (i) => Array.from({ length: 24 }, (_, j) => (i === j ? 1 : 0)).join(" ")),
  "a matrix in LaTeX": lines(20, (i) => `${Array.from({ length: 12 }, (_, j) => (i === j ? 1 : 0)).join(" & ")} \\\\`),
  "a sparse matrix between spaces": lines(24, () =>
    Array.from({ length: 24 }, () => (number(9) === 0 ? number(9) : 0)).join(" "),
  ),
  "base64 with padding": `data:application/octet-stream;base64,${bytes.toString("base64")}`,
  "base64 with much padding": padded([1_450, 30, 700]).toString("base64"),
  "base64, wrapped": wrapped(padded([900, 120, 400]).toString("base64"), 76),
  "base64 of a tar": tar().toString("base64"),
  "base64 of a tar, wrapped": wrapped(tar().toString("base64"), 64),
  "base64 of indented text": Buffer.from(lines(12, () => `${" ".repeat(240)}${sentence()}`)).toString("base64"),
  "a hex string": padded([300, 400, 80]).toString("hex"),
  "a hex dump with offsets": dump(
    bytes,
    (at, cells, shown) => `${at.toString(16).padStart(8, "0")}  ${cells.join(" ")}  |${shown}|`,
  ),
  "a hex dump in words with offsets": dump(
    bytes,
    (at, cells, shown) => `${at.toString(16).padStart(8, "0")}: ${cells.join("").replace(/.{4}/g, "$& ")} ${shown}`,
  ),
  "a hex dump in words": dump(bytes, (_, cells) => cells.join("").replace(/.{4}/g, "$& ").trimEnd()),
  "a hex dump of bytes": dump(bytes, (_, cells) => cells.join(" ")),
  "bytes as a C array":
    "const unsigned char blob[] = {\n" +
    `${dump(padded([300, 100]), (_, cells) => `  ${cells.map((each) => `0x${each}`).join(", ")},`)}\n};`,
  "bytes as a string": fill(
    3,
    () => `"${dump(padded([80]), (_, cells) => cells.map((each) => `\\x${each}`).join("")).replaceAll("\n", "")}"`,
  ),
  bits: lines(20, () => fill(8, () => `${number(256).toString(2).padStart(8, "0")} `)),
  "a divider of 1,200 dashes": `Before\n${"-".repeat(1_200)}\nAfter`,
  "a divider of equals signs": `Before\n${"=".repeat(1_200)}\nAfter`,
  "a divider of underscores": `Before\n${"_".repeat(1_200)}\nAfter`,
  "a divider of stars": `Before\n${"* ".repeat(600)}\nAfter`,
  "a divider of hashes": `Before\n${"#".repeat(1_200)}\nAfter`,
  "a divider of tildes and stars": `Before\n${"~*~ ".repeat(300)}\nAfter`,
  "a divider of box lines": `Before\n${"─".repeat(1_200)}\n${"═".repeat(1_200)}\nAfter`,
  "a divider of dots": `Contents${".".repeat(900)}1`,
  "a divider of a table": `Before\n|${"---|".repeat(300)}\nAfter`,
  "a divider of a grid": `Before\n+${"---+".repeat(300)}\nAfter`,
  "dividers line after line": lines(12, () => "=".repeat(79)),
  "a table of contents": lines(40, (i) => `${word(noun())} ${". ".repeat(30)} ${i}`),
  "a long run of spaces": `before${" ".repeat(1_200)}after`,
  "deep indentation": lines(20, (i) => `${" ".repeat(i * 20)}${verb()}(${noun()});`),
  tabs: `before${"\t".repeat(600)}after`,
  "a banner": lines(12, () => "#".repeat(78).replace(/(?<=#{9})#/g, () => (number(3) === 0 ? " " : "#"))),
  "ASCII art of slashes": lines(14, (i) => `${" ".repeat(14 - i)}${"/\\".repeat(i + 1)}`),
  "a maze": lines(24, () => fill(24, () => (number(2) === 0 ? "/" : "\\"))),
  "a brick wall": lines(14, (i) => (i % 2 === 0 ? "|___".repeat(18) : "_|__".repeat(18))),
  waves: lines(12, (i) => (i % 2 === 0 ? "~^~".repeat(24) : "^~^".repeat(24))),
  "a picture in braille": lines(
    16,
    () => `${"⠀".repeat(50)}${fill(10, () => String.fromCodePoint(0x2800 + number(256)))}`,
  ),
  "a chart of bars": lines(30, () => `${noun().padEnd(10)} ${"█".repeat(number(60))}`),
  "a chess board": lines(8, (i) => `${8 - i} ${i % 2 === 0 ? "□ ■ □ ■ □ ■ □ ■" : "■ □ ■ □ ■ □ ■ □"}`),
  "a calendar": lines(
    12,
    (i) =>
      `Month ${i}\nMo Tu We Th Fr Sa Su\n` +
      `${lines(4, (week) => fill(7, (day) => `${String(week * 7 + day + 1).padStart(2)} `))}`,
  ),
  "a sequence of bases": fill(8, () => `${"AT".repeat(100)}${fill(40, () => "ACGT".charAt(number(4)))}`),
  "getters and setters": lines(
    30,
    (i) =>
      `  get field${i}(): number {\n    return this.#field${i};\n  }\n  set field${i}(value: number) {\n   ` +
      ` this.#field${i} = value;\n  }\n`,
  ),
  "a switch": `switch (code) {\n${lines(60, (i) => `    case ${i}:\n      return handle(code);`)}\n}`,
  "a switch with empty cases": lines(60, () => `    case "${noun()}-${number()}":\n      break;`),
  imports: lines(40, () => `import { ${noun()} } from "./${noun()}.ts";`),
  "closing brackets": `${"(".repeat(120)}x${")".repeat(120)};\n${lines(60, (i) => `${"  ".repeat(60 - i)}}`)}`,
  "four equal cells a row": lines(20, () => `    <tr>\n      <th>${noun()}</th>\n${cell.repeat(4)}    </tr>`),
  "four equal cards": `<main>\n${card.repeat(4)}</main>\n<footer>${sentence()}</footer>`,
  "placeholders for a mock-up": fill(4, () => `<section><h2>${noun()}</h2>\n${card.repeat(3)}</section>\n`),
  "an SVG path": `<path d="M0 0 ${fill(120, () => `l ${number(90)} ${number(90)} `)}z"/>`,
  "SVG elements": lines(
    60,
    (i) => `<circle cx="${i * 10}" cy="20" r="4" fill="none" stroke="black" stroke-width="1"/>`,
  ),
  "XML items": lines(40, (i) => `  <item key="${i}"><value>0</value><isReady>false</isReady></item>`),
  YAML: lines(40, () => `- name: ${noun()}\n  enabled: true\n  retries: 3\n  labels: {}`),
  CSS: lines(30, (i) => `.mt-${i} { margin-top: ${i * 4}px; margin-bottom: 0; padding: 0 0 0 0; }`),
  "a Makefile": lines(30, () => `${noun()}-${number()}: ${noun()}.o ${noun()}.o\n\t$(CC) $(CFLAGS) -o $@ $^`),
  "assembly of no-operations": lines(60, (i) => `  ${(0x40_1000 + i).toString(16)}:\t90\tnop`),
  "environment variables": lines(40, (i) => `export HARBOUR_OPTION_${i}="\${HARBOUR_OPTION_${i}:-default}"`),
  "unit tests of one shape": lines(30, (i) => `test("case ${i}", () => {\n  expect(run(${i})).toBe(true);\n});\n`),
  "a regular expression": `/^(?:${fill(60, () => `${noun()}|`)}x)$/`,
  identifiers: lines(60, () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`),
  "a poll of one status": lines(60, (i) => `[${i * 10} s] status: running (${i} of 60)`),
  "Chinese prose": fill(
    60,
    (i) => `第${i}天，船长写下${"风雨海山月".charAt(i % 5)}与${"灯桥石木火".charAt((i * 3) % 5)}的名字。`,
  ),
  "Arabic prose": fill(60, (i) => `في اليوم ${i} كتب البحار ${"نجمة قمر بحر ريح جبل".split(" ")[i % 5]} في دفتره. `),
  emoji: fill(80, () => `${["🐑", "🐕", "🌧️", "👩‍🌾", "🏔️", "🚜"][number(6)]} `),
};

describe("texts that repeat for good reason give no alarm", () => {
  test.each(Object.entries(written))("%s", (name, text) => {
    expect([1, 2, 3].flatMap((seed) => alarms(name, text, seed))).toEqual([]);
  });
});

/** Files below a folder, sorted, without what is hidden, installed or otherwise left out. */
function filesBelow(folder: string, into = 9, without = "dist"): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === without) return [];
      return entry.isDirectory() ? (into > 0 ? filesBelow(path, into - 1, without) : []) : entry.isFile() ? [path] : [];
    });
}

/** What alarms there are in files. */
function alarmsIn(files: readonly string[]): readonly string[] {
  return files.flatMap((file, i) => alarms(relative(root, file), readFileSync(file, "utf8").slice(0, 400_000), i));
}

describe("real files give no alarm", () => {
  const own = {
    sources: filesBelow(join(root, "packages")).filter(
      (file) => /\.(?:ts|js|mjs|json|html|css)$/.test(file) && !/chant[\w-]*\.test\.ts$/.test(file),
    ),
    scripts: filesBelow(join(root, "scripts")),
    benchmarks: filesBelow(join(root, "bench"), 2).filter((file) => /\.(?:ts|mjs|json|md)$/.test(file)),
    documents: filesBelow(join(root, "docs")).filter((file) => !file.endsWith(".png")),
    "files at the root": filesBelow(root, 0),
  };
  test.each(Object.entries(own))("%s of this repository", (_, files) => {
    expect(files.length).toBeGreaterThan(0);
    expect(alarmsIn(files)).toEqual([]);
  });

  // Not among them: source maps and coverage reports, which do say one thing 50 times over; nobody streams those.
  const installed = filesInstalled();
  const kinds = [
    "js",
    "mjs",
    "cjs",
    "min.js",
    "d.ts",
    "d.mts",
    "ts",
    "json",
    "md",
    "css",
    "html",
    "yml",
    "svg",
    "txt",
    "LICENSE",
    "CHANGELOG.md",
    "README.md",
  ];
  for (const kind of kinds) {
    const files = installed.filter((file) => (/^[a-z]/.test(kind) ? file.endsWith(`.${kind}`) : file.endsWith(kind)));
    const some = files.filter((_, i) => i % Math.ceil(files.length / 12) === 0);
    test.skipIf(some.length === 0)(
      `${kind} files of installed packages${some.length === 0 ? " (none here)" : ""}`,
      () => {
        expect(alarmsIn(some)).toEqual([]);
      },
    );
  }

  function filesInstalled(): readonly string[] {
    const folder = join(root, "node_modules");
    if (!existsSync(folder)) return [];
    const packages = readdirSync(folder).sort();
    return packages
      .filter((name) => !/^[.@]/.test(name))
      .flatMap((name) => filesBelow(join(folder, name), 3, "coverage"));
  }

  // A program holds whole pages of zeros; what is quoted of one here has its long repetitions shortened to 1,200 bytes.
  const program = Buffer.alloc(2_000_000);
  const opened = openSync(process.execPath, "r");
  readSync(opened, program);
  closeSync(opened);
  test.each([0, 100_000, 1_000_000, 1_900_000])("base64 and hex of a program, from byte %i", (from) => {
    const quoted = program
      .toString("latin1", from, from + 60_000)
      .replace(/([\s\S]{1,64}?)\1{4,}/g, (repeated) => repeated.slice(0, 1_200));
    const part = Buffer.from(quoted, "latin1");
    expect(alarms("base64", part.toString("base64"), from)).toEqual([]);
    expect(alarms("wrapped base64", wrapped(part.toString("base64"), 76), from)).toEqual([]);
    expect(
      alarms(
        "hex dump",
        dump(part, (at, cells, shown) => `${at.toString(16).padStart(8, "0")}: ${cells.join(" ")}  ${shown}`),
        from,
      ),
    ).toEqual([]);
  });
});

/** What models do say over and over. A paragraph of so many characters that repeats nothing itself. */
function paragraph(length: number): string {
  const below = dice(length);
  const some = (list: readonly string[]): string => list[below(list.length)] ?? "";
  let text = "";
  while (text.length < length)
    text +=
      `Wait, I should check the ${some(nouns)} again, since the ${some(nouns)} ${some(verbs)} the ` +
      `${some(nouns)}. `;
  return `${text.slice(0, length - 2)}\n\n`;
}

const units: Readonly<Record<string, string>> = {
  "a letter": "a",
  "a capital letter": "A",
  "a digit": "0",
  "a digit and a space": "1 ",
  "two digits": "42 ",
  exclamations: "!",
  questions: "?",
  newlines: "\n",
  "empty lines of escaped text": "\\n",
  "a syllable": "ha",
  "a token": "the ",
  "one word": "Shepherd",
  "one word a line": "Shepherd\n",
  "a token twice": "The the ",
  "two tokens": "no, ",
  "a word and its dots": "wait... ",
  "a sentence": "I will now read the file again. ",
  "a question": "Is that right? ",
  "a sentence a line": "Let me look at the harbour once more.\n",
  "a sentence with repetition inside": "ha ha ha, said the cat; ",
  "a long stutter": `${"I I I I ".repeat(20)}stop. `,
  "a stanza": "The lantern swings above the quay,\nthe quay is swinging under me.\n",
  "a bullet": "- Check the harbour\n",
  "a numbered item that does not count": "1. Check the harbour and write down what it holds\n",
  "a to-do item": "- [ ] Write the tests for the harbour module\n",
  "a row of a table": "| lantern | harbour | 12 |\n",
  "a line of a log": "ERROR connection refused, trying again in 5 s\n",
  "a line of code": "    total = total + 1;\n",
  "an import": 'import { harbour } from "./harbour.ts";\n',
  "a function": "function open(harbour) {\n  if (!harbour) return undefined;\n  return harbour.open();\n}\n\n",
  "a cell": "<td></td>",
  "an XML element": "  <item><value>0</value></item>\n",
  "a JSON object": '{"name":"lantern","isReady":true,"count":0},',
  "a JSON object, indented": '  {\n    "name": "lantern",\n    "isReady": true\n  },\n',
  "an escaped line": 'print(\\"harbour\\")\\n',
  "escaped lines of code": "  if (isOpen) {\\n    close(harbour);\\n  }\\n",
  "a code fence": "```sh\nnpm test\n```\n",
  "an empty tag": "<search>\n</search>\n\n",
  "a heading": "## Harbour\n\nNothing to see here.\n\n",
  "a Chinese character": "哈",
  "a Chinese sentence": "我们再检查一次港口的灯。",
  "a Japanese phrase": "もう一度、",
  "an Arabic word": "نعم ",
  "an Arabic sentence": "سأقرأ الملف مرة أخرى. ",
  Cyrillic: "Проверю ещё раз. ",
  "an emoji": "🐑",
  "a family of emoji": "👩‍👩‍👧‍👦 ",
  "emoji among words": "All done! 🎉 Ready 🚀 ",
  "an accent apart": "re\u0301 ",
  "a thought of 300 characters": paragraph(300),
  "a thought of 500 characters": paragraph(500),
  "a thought of 700 characters": paragraph(700),
  "a thought of 999 characters": paragraph(999),
  "a thought of 1,000 characters": paragraph(1_000),
};

const leads: Readonly<Record<string, string>> = {
  nothing: "",
  prose: `${sentence()} ${sentence()}`,
  "much prose": fill(120, () => `${sentence()} `),
  "a code fence": `Here it is:\n\n\`\`\`ts\n${written["imports"]}\nconst x = {`,
  "a list": `${written["a bulleted list"]}\n- and`,
  "a tool's input": `{"path":"notes/today.md","content":"${sentence()}`,
};

/** Equal lines of code or of a log stand in a code fence for good reason, so they may continue for longer there. */
const isLine = (unit: string) => unit.includes("\n") && /\w/.test(unit) && !unit.includes("```");

describe("chants are chant in time", () => {
  test.each(Object.entries(units))("%s", (_, unit) => {
    const late = Object.entries(leads).flatMap(([after, lead]) =>
      channels.flatMap((channel, c) =>
        Array.from({ length: 6 }, (_, i) => i * 3 + c + 1).flatMap((seed) => {
          const minLimit = after === "a code fence" && isLine(unit) ? 2_200 : 400;
          const limit = Math.max(minLimit, 5 * unit.length);
          const chant = findChant(lead + unit.repeat(Math.ceil(limit / unit.length) + 1), { seed, maxDelta: 40 });
          const where = `after ${after}, ${channel}, seed ${seed}`;
          if (chant === undefined) return [`${where}: never`];
          if (chant.at - lead.length >= limit) return [`${where}: after ${chant.at - lead.length} characters`];
          if (chant.period !== unit.length) return [`${where}: with a period of ${chant.period}`];
          if (chant.kept.slice(-2 * chant.period, -chant.period) !== chant.kept.slice(-chant.period))
            return [`${where}: does not leave two repetitions`];
          return chant.kept.length > lead.length + 2 * unit.length
            ? [`${where}: leaves ${chant.kept.length - lead.length} characters`]
            : [];
        }),
      ),
    );
    expect(late).toEqual([]);
  });

  test.each([300, 500, 700, 1_000])(
    "a paragraph of %i characters before its fifth time, from 700 before its fourth",
    (length) => {
      const chant = findChant(paragraph(length).repeat(6), { seed: length, maxDelta: 20 });
      expect(chant?.at).toBeLessThan((length < 700 ? 5 : 4) * length);
    },
  );

  test("drawings and tables, too, when they never end", () => {
    const endless = ["-", "=", " ", "|---", "0, ", "[0, 0, 0],\n", "─", '"",', "\t", ". "];
    expect(endless.filter((unit) => findChant(unit.repeat(2_200), { seed: 1, maxDelta: 40 }) === undefined)).toEqual(
      [],
    );
  });
});

interface RecordedRun {
  readonly id: string;
  readonly steps: readonly {
    readonly text?: string;
    readonly calls: readonly { readonly args: unknown; readonly result: unknown }[];
  }[];
}

describe("recordings of agents", () => {
  const file = join(process.env["SHEEPDOG_DATA"] ?? join(root, "../shared/data"), "labelled-runs.jsonl.gz");
  const isHere = existsSync(file);

  test.skipIf(!isHere)(
    "an alarm is given only where one text really stands there over and " +
      `over${isHere ? "" : " (no recordings here: SHEEPDOG_DATA)"}`,
    () => {
      const runs = gunzipSync(readFileSync(file))
        .toString()
        .split("\n")
        .filter((line) => line !== "")
        .map((line): RecordedRun => JSON.parse(line));
      const streamed = runs.flatMap(({ id, steps }) =>
        steps.flatMap(({ text = "", calls }, i) => [
          { of: `${id}, step ${i}, text`, text },
          ...calls.map(({ args }) => ({
            of: `${id}, step ${i}, input`,
            text: JSON.stringify(args) ?? "",
          })),
          ...calls.map(({ result }) => ({
            of: `${id}, step ${i}, quoted result`,
            text: `${result}`,
          })),
        ]),
      );
      const unfounded = streamed.flatMap(({ of, text }, seed) => {
        const chant = findChant(text, { seed, maxDelta: 60 });
        if (chant === undefined) return [];
        const unit = chant.kept.slice(-chant.period);
        const isThere = text.includes(unit.repeat(Math.ceil(Math.max(400 / unit.length, 4))));
        return isThere ? [] : [`${of}, seed ${seed}: ${chant.repeats.toFixed(1)} × ${chant.period} characters`];
      });
      expect(streamed.length).toBeGreaterThan(1_000);
      expect(unfounded).toEqual([]);
    },
  );
});

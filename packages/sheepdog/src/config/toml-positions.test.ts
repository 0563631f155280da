import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { tomlPositions } from "./toml-positions.ts";

/** The paths of all values that are neither tables nor lists. */
function leaves(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null || value instanceof Date) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<string, unknown>)[part], value);
}

/** The values at a wrong position: the text there differs from what the parser read. */
function misplaced(toml: string): readonly string[] {
  const table = parse(toml);
  const positions = tomlPositions(toml);
  return leaves(table).flatMap((path) => {
    const span = positions.valueSpan(path);
    const key = positions.keyAt(path);
    const isList = /^\d+$/.test(path.at(-1) ?? "");
    if (span === undefined || (key === undefined && !isList)) return [path.join(".")];
    const there = parse(`value = ${toml.slice(span.start, span.end)}`)["value"];
    return isDeepStrictEqual(there, at(table, path)) ? [] : [path.join(".")];
  });
}

describe("the positions of keys and values", () => {
  test("are found in tables, dotted keys, inline tables and lists", () => {
    const toml = [
      "# a comment",
      "[agent]",
      'max_turns = "ten" # few',
      "guardian.mode = 1",
      "log = { level = 3, dir.x = [1,",
      "  2] }",
    ].join("\n");
    const { keyAt, valueAt } = tomlPositions(toml);
    expect([keyAt(["agent"]), keyAt(["agent", "max_turns"]), valueAt(["agent", "max_turns"])]).toEqual([
      { line: 2, column: 2 },
      { line: 3, column: 1 },
      { line: 3, column: 13 },
    ]);
    expect([keyAt(["agent", "guardian"]), keyAt(["agent", "guardian", "mode"])]).toEqual([
      { line: 4, column: 1 },
      { line: 4, column: 10 },
    ]);
    expect([keyAt(["agent", "log", "level"]), valueAt(["agent", "log", "dir", "x", "1"])]).toEqual([
      { line: 5, column: 9 },
      { line: 6, column: 3 },
    ]);
    expect([keyAt(["agent", "nothing"]), valueAt(["nothing"])]).toEqual([undefined, undefined]);
  });

  test("are found in lists of tables", () => {
    const { keyAt, valueAt, lastTable } = tomlPositions(
      '[[a]]\nx = 1\n[[a]]\nx = 2\n[a.b]\ny = 3\n[[a.c]]\nz = 4\n["q.r".s]\n',
    );
    expect([
      valueAt(["a", "0", "x"]),
      valueAt(["a", "1", "x"]),
      keyAt(["a", "1", "b", "y"]),
      keyAt(["a", "1", "c", "0", "z"]),
    ]).toEqual([
      { line: 2, column: 5 },
      { line: 4, column: 5 },
      { line: 6, column: 1 },
      { line: 8, column: 1 },
    ]);
    expect(lastTable).toEqual(["q.r", "s"]);
  });

  test.each([
    'a = """\n[not] # a = 1\n"""\nb = 2',
    'a = """x""""\nb = """"y"""\nc = \'\'\'\'z\'\'\'\'\'\n"d" = 1',
    "a = '''\n# [x]\n'''\nb = '#' # c = 3",
    'a = "\\"#" # "\nb = "\\\\"\nc = ""\nd = \'\'',
    '"a.b" = 1\n\'c"d\'.e = 2\n"\\u00e9\\t" = 3',
    "a = [ # one\n  [1, 2], # two\n  { b = 3, c = '}' },\n  ']',\n]\nd = 1979-05-27 07:32:00 # e\nf = 07:32:00",
    "\r\n[a]\r\n\tb = 1\r\n\r\n[ c . d ]\r\n  e . f = true\r\n",
    "a.b.c = 1\na.b.d = 2\n[e.f]\n[e]\ng = +1_000\nh = -inf\ni = 0xff",
    "[[a]]\n[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n[[a]]\n[[a.b]]\nc = 3",
    "a = {}\nb = []\nc = [{}, {d = 1}]\ne = 1.5e3",
  ])("agree with the parser: %j", (toml) => {
    expect(misplaced(toml)).toEqual([]);
  });

  test("agree with the parser for any document", () => {
    const name = fc.oneof(
      fc.constantFrom("a", "b", "c-d", "e f", "g.h", '"', "'", "é", "#", "[", "1"),
      fc.string({ minLength: 1 }),
    );
    const { table } = fc.letrec<{ value: unknown; table: Record<string, unknown> }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.array(fc.string(), { maxLength: 3 }),
        fc.array(tie("table"), { minLength: 1, maxLength: 3 }),
        tie("table"),
      ),
      table: fc.dictionary(
        name.filter((key) => key !== "__proto__"),
        tie("value"),
        { maxKeys: 4 },
      ),
    }));
    fc.assert(
      fc.property(table, (content) => {
        const toml = stringify(content);
        const deep = leaves(parse(toml)).some((path) => path.length > 8);
        fc.pre(!deep);
        expect(misplaced(toml)).toEqual([]);
      }),
    );
  });

  test("are found in a single pass over any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("[", "]", "{", "}", '"', "'", "=", ",", ".", "#", "\n", "a", " ", "\\"),
          maxLength: 60,
        }),
        (text) => {
          expect(tomlPositions(text).keyAt(["nothing there"])).toBe(undefined);
        },
      ),
    );
  });

  test("are found in a document of a megabyte in one pass", () => {
    for (const text of [
      `${"a.".repeat(300_000)}a = 1`,
      `a = "${"\\\\".repeat(500_000)}"`,
      `a = [${"1,".repeat(400_000)}]`,
      `${" \n#\n".repeat(200_000)}a = 1`,
    ])
      expect(tomlPositions(text).keyAt(["a"])).toBeDefined();
  });
});

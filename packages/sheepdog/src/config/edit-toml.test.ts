import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { editToml } from "./edit-toml.ts";

const document = [
  "# mine",
  "",
  "[agent] # the agent",
  "max_turns = 3 # few",
  "  # indented",
  "",
  "# money",
  "[budget]",
  "monthly_limit_cents=5",
  "",
].join("\n");

describe("a document is edited so that comments and order stay", () => {
  test("a value is replaced", () => {
    expect(editToml(document, ["agent", "max_turns"], 40)).toBe(document.replace("= 3 #", "= 40 #"));
  });

  test("a new key is added at the end of its table", () => {
    expect(editToml(document, ["agent", "min_tail"], 4)).toBe(document.replace("# few\n", "# few\nmin_tail = 4\n"));
    expect(editToml("[a]\n\tb = 1", ["a", "c"], "x")).toBe('[a]\n\tb = 1\n\tc = "x"');
    expect(editToml("[a]\r\nb = 1\r\n[c]\r\n", ["a", "d"], true)).toBe("[a]\r\nb = 1\r\nd = true\r\n[c]\r\n");
  });

  test("a new table is added at the end, a new top-level key at the start", () => {
    expect(editToml(document, ["agent", "guardian", "mode"], "advise")).toBe(
      `${document}\n[agent.guardian]\nmode = "advise"\n`,
    );
    expect(editToml("", ["agent", "guardian", "tools", "get_*", "scale"], 2)).toBe(
      '[agent.guardian.tools."get_*"]\nscale = 2\n',
    );
    expect(editToml(document, ["models"], [{ id: "a", tags: [] }])).toBe(
      `models = [{ id = "a", tags = [] }]\n\n${document}`,
    );
  });

  test("a key is removed with its line", () => {
    expect(editToml(document, ["agent", "max_turns"], undefined)).toBe(document.replace("max_turns = 3 # few\n", ""));
    expect(editToml('a = """\nx\n"""\nb = 2', ["a"], undefined)).toBe("b = 2");
    expect(editToml(document, ["agent", "nothing"], undefined)).toBe(document);
  });

  test.each<[string, readonly string[], unknown, unknown]>([
    ["a = { b = 1, c = 2 } # x", ["a", "d"], 3, { a: { b: 1, c: 2, d: 3 } }],
    ["a = { b = 1, c = 2 } # x", ["a", "b"], undefined, { a: { c: 2 } }],
    ["[a]\nb.c = 1 # x", ["a", "b", "d"], 2, { a: { b: { c: 1, d: 2 } } }],
    ["[a.b]\nc = 1 # x", ["a", "d"], 2, { a: { b: { c: 1 }, d: 2 } }],
    ["[a.b]\nc = 1\n[d] # x", ["a", "b"], "off", { a: { b: "off" }, d: {} }],
    ['[a]\nb = "off" # x', ["a", "b", "c"], 1, { a: { b: { c: 1 } } }],
  ])("an edit of more than one line: %j", (toml, path, value, expected) => {
    const edited = editToml(toml, path, value);
    expect(JSON.parse(JSON.stringify(parse(edited ?? "")))).toEqual(expected);
    expect(edited).toContain("# x");
  });

  test("for any document: only the wanted value changes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.constantFrom("x", "a b", "é.", '"'), (text, name) => {
        const edited = editToml(document, ["agent", name], text) ?? "";
        expect(parse(edited)).toEqual({
          ...parse(document),
          agent: { ...(parse(document)["agent"] as object), [name]: text },
        });
        expect(edited).toContain("# few");
      }),
    );
  });
});

import fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { addHooks } from "./add-hooks.ts";
import type { Edited } from "./edited.ts";
import { type HookShape, hookShape } from "./hook-shape.ts";
import { removeHooks } from "./remove-hooks.ts";

const command = "/home/me/.sheepdog/bin/sheepdog-hook claude-code";
const handler = { type: "command", command, timeout: 10 };
const nested: HookShape = {
  agent: "claude-code",
  events: ["PreToolUse", "Stop"],
  form: "nested",
  handler: () => handler,
  header: {},
  isStrict: false,
};
const flatHandler = { command: "/h/bin/sheepdog-hook cursor" };
const flat: HookShape = {
  agent: "cursor",
  events: ["preToolUse", "stop"],
  form: "flat",
  handler: () => flatHandler,
  header: { version: 1 },
  isStrict: false,
};

function textOf(edited: Edited): string {
  if (!edited.ok) throw new Error(edited.problem);
  return edited.text;
}
const added = (text: string, shape = nested) => textOf(addHooks(text, shape));
const removed = (text: string, before = "{}", shape = nested) => textOf(removeHooks(text, shape, before));

const samples: Readonly<Record<string, string>> = {
  "a trailing comma on the line after a comment": `{
  "hooks": {
    "PreToolUse": [
      { "hooks": [] } // mine
      , // and no more
    ]
  } // hooks
  ,
}
`,
  "a comment behind a hook on the line of its list": `{
  "hooks": {
    "PreToolUse": [ { "hooks": [] } // mine
    ],
    "Stop": [ { "hooks": [] } /* mine */ // too
    ] }
}
`,
  "comments everywhere": `// my settings
{
  "model": "opus", // the big one
  /* hooks of mine */
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint" }] } // keep, please
      // and nothing after this
    ] /* end */
  }
  // end
}
`,
  "trailing commas": `{
  "hooks": {
    "Stop": [
      {"hooks": [{"type": "command", "command": "bell",},],}, // bell
    ],
  },
}`,
  tabs: '{\n\t"a": 1,\n\t"hooks": {\n\t\t"Other": []\n\t}\n}\n',
  "CRLF and three spaces": '{\r\n   "a": {\r\n      "b": [1, 2]\r\n   }\r\n}\r\n',
  "one line": '{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}',
  "one line with spaces, no line end": '{ "a": 1, "b": [1, 2] }',
  "no indentation": '{\n"a": 1,\n"hooks": {\n"Stop": [\n{ "hooks": [] }\n]\n}\n}\n',
  "brackets on one line":
    '{\n  "hooks": { "Stop": [{\n    "hooks": [{ "type": "command", "command": "x" }]\n  }] }\n}\n',
  "a comma in a comment": '{\n  "a": 1 // one, two, three\n}\n',
};

describe("hooks are added and removed without changing anything else", () => {
  test.each(Object.entries(samples))("%s", (_, text) => {
    const attached = added(text);
    expect(added(attached)).toBe(attached);
    const { hooks } = parse(attached, [], { allowTrailingComma: true });
    expect(hooks.PreToolUse.at(-1)).toEqual({ hooks: [handler] });
    expect(hooks.Stop.at(-1)).toEqual({ hooks: [handler] });
    expect(removed(attached, text)).toBe(text);
    if (!text.includes("\r")) expect(attached).not.toContain("\r");
    else expect(attached.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("in the layout of the file", () => {
    const written = `[{ "hooks": [{ "type": "command", "command": "${command}", "timeout": 10 }] }]`;
    expect(added('{\n\t"model": "opus" // big\n}')).toBe(`{
\t"model": "opus", // big
\t"hooks": {
\t\t"PreToolUse": ${written},
\t\t"Stop": ${written}
\t}
}`);
    expect(added('{"a":1}')).toBe(
      JSON.stringify({ a: 1, hooks: { PreToolUse: [{ hooks: [handler] }], Stop: [{ hooks: [handler] }] } }),
    );
  });

  test("an empty file gets an object, and a flat list its version", () => {
    for (const text of ["", "\n", " \r\n"]) expect(parse(added(text)).hooks.Stop).toEqual([{ hooks: [handler] }]);
    expect(JSON.parse(added("", flat))).toEqual({
      version: 1,
      hooks: { preToolUse: [flatHandler], stop: [flatHandler] },
    });
    expect(removed(added("", flat), "", flat)).toBe('{\n  "version": 1\n}\n');
  });
});

test("an older hook of ours is replaced where it is; repeated ones and those of other events go", () => {
  const old = { type: "command", command: "'/old place/bin/sheepdog-hook' claude-code" };
  const other = { type: "command", command: "sheepdog-hook codex" };
  const hooks = {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint" }, old] }, { hooks: [old] }],
    Stop: [{ hooks: [other] }],
    Gone: [{ hooks: [old] }],
  };
  const { hooks: result } = JSON.parse(added(JSON.stringify({ hooks }, null, 2)));
  expect(result).toEqual({
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint" }, handler] }],
    Stop: [{ hooks: [other] }, { hooks: [handler] }],
    Gone: [],
  });
});

test.each([
  ['{"hooks": {}, "hooks": {}}', 'has "hooks" more than once; remove all but the last, which is the one in use'],
  ['{"hooks": {"Stop": [], "Stop": []}}', 'has "hooks.Stop" more than once'],
  ['{"hooks": []}', 'has "hooks" that is not an object'],
  ['{"hooks": {"Stop": {}}}', 'has "hooks.Stop" that is not a list'],
  ["[]", "must be a JSON object"],
  ['{\n"a": 1\n"b": 2}', "is not valid JSON (line 3: comma expected)"],
  ['{"a": 1', "is not valid JSON (line 1: close brace expected)"],
])("%s is refused", (text, problem) => {
  expect(addHooks(text, nested)).toEqual({ ok: false, problem: expect.stringContaining(problem) });
});

test("an agent that reads no comments gets none", () => {
  expect(addHooks("{} // mine", { ...nested, isStrict: true })).toEqual({
    ok: false,
    problem: "has comments or trailing commas, which this agent does not read",
  });
});

test.each(["claude-code", "codex"] as const)("%s ignores a file with comments", (agent) => {
  const shape = hookShape(agent, `sheepdog-hook ${agent}`);
  expect(addHooks('{ "a": 1, }', shape)).toMatchObject({ ok: false });
  expect(addHooks("{} // mine", shape)).toMatchObject({ ok: false });
  expect(addHooks('{ "a": 1 }', shape)).toMatchObject({ ok: true });
});

describe("random settings", () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant("a, } ] // b /* c */"));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("any")),
    ),
  })).any;
  const foreign = fc.record({
    matcher: fc.string(),
    hooks: fc.array(fc.record({ type: fc.constant("command"), command: fc.string() }), { maxLength: 3 }),
  });
  const hooks = fc.dictionary(fc.constantFrom("PreToolUse", "Stop", "Other"), fc.array(foreign, { maxLength: 3 }));
  const settings = fc
    .record({ before: fc.dictionary(fc.string(), value), hooks: fc.option(hooks), after: value })
    .map(({ before, hooks, after }) => ({ ...before, ...(hooks === null ? {} : { hooks }), after }));
  const layout = fc.record({ unit: fc.constantFrom("", " ", "   ", "\t"), lineEnd: fc.constantFrom("\n", "\r\n") });
  const comments = fc.infiniteStream(fc.constantFrom("", "", " // x, y ] }", " /* , } */"));
  const document = fc.tuple(settings, layout, comments).map(([value, { unit, lineEnd }, comment]) => {
    const lines = JSON.stringify(value, null, unit).split("\n");
    const hasLines = lines.length > 1;
    return lines.map((line) => line + (hasLines ? comment.next().value : "")).join(lineEnd) + (hasLines ? lineEnd : "");
  });

  test("get our hooks, once, keep everything else, and are the same text without them", () => {
    fc.assert(
      fc.property(document, (text) => {
        const attached = added(text);
        expect(added(attached)).toBe(attached);
        const after = parse(attached);
        expect([after.hooks.PreToolUse.at(-1), after.hooks.Stop.at(-1)]).toEqual([
          { hooks: [handler] },
          { hooks: [handler] },
        ]);
        expect(removed(attached, text)).toBe(text);
      }),
    );
  });

  test("any text is refused or remains JSON", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          document.map((text) => text.slice(1)),
        ),
        (text) => {
          const edited = addHooks(text, nested);
          if (edited.ok) expect(added(edited.text)).toBe(edited.text);
        },
      ),
    );
  });
});

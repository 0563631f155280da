import type { AgentEvent, AgentEventBody } from "@sheepdog/agent";
import { wireEventSchema } from "@sheepdog/web/contract";
import { expect, test } from "vitest";
import { toWireEvent } from "./wire-event.ts";

const event = (body: AgentEventBody): AgentEvent => ({
  ...body,
  seq: 1,
  at: 1,
  sessionId: "ses_1",
  runId: "run_1",
  severity: "info",
});
const end = { type: "ToolEnd", callId: "c1", tool: "bash", status: "ok", ms: 1 } as const;

test("most events are passed on as they are", () => {
  for (const body of [
    { type: "TurnStarted", turn: 1 },
    { ...end, content: "x".repeat(4_000) },
    { type: "ToolStart", callId: "c1", tool: "bash", input: { command: "ls", more: [1, null, { a: true }] } },
  ] as const)
    expect(toWireEvent(event(body))).toEqual(event(body));
});

test("the content of a call keeps its beginning and its end", () => {
  const content = `${"a".repeat(3_000)}${"b".repeat(3_000)}`;
  expect(toWireEvent(event({ ...end, content }))).toEqual({
    ...event({ ...end, content: `${"a".repeat(1_500)}\n…\n${"b".repeat(2_500)}` }),
    cut: { content: 6_000 },
  });
});

test("long texts at any depth are cut, and the whole length is told by their place", () => {
  const long = "x".repeat(5_000);
  const cut = "x".repeat(4_000);
  const input = { path: "a", edits: [{ old: long, new: "y" }], content: long };
  expect(toWireEvent(event({ type: "ToolStart", callId: "c", tool: "edit", input }))).toEqual({
    ...event({
      type: "ToolStart",
      callId: "c",
      tool: "edit",
      input: { path: "a", edits: [{ old: cut, new: "y" }], content: cut },
    }),
    cut: { "input.edits.0.old": 5_000, "input.content": 5_000 },
  });
  const emoji = toWireEvent(event({ type: "TextDelta", text: `x${"🐑".repeat(3_000)}` }));
  expect(emoji.type === "TextDelta" && emoji.text.isWellFormed()).toBe(true);
});

test("the details of a call are replaced by the change it made to a file", () => {
  const change = { path: "a.ts", line: 10, before: "one\ntwo\nthree\n", after: "one\n2\nthree\nfour\n" };
  const { details: _, ...rest } = event({ ...end, content: "", details: {} }) as AgentEvent & { details: unknown };
  expect(toWireEvent(event({ ...end, content: "", details: { change } }))).toEqual({
    ...rest,
    diff: {
      path: "a.ts",
      isCut: false,
      lines: [
        { sign: " ", text: "one", number: 10 },
        { sign: "-", text: "two", number: 11 },
        { sign: "+", text: "2", number: 11 },
        { sign: " ", text: "three", number: 12 },
        { sign: "+", text: "four", number: 13 },
      ],
    },
  });
  const big = { ...change, after: Array.from({ length: 300 }, (_, index) => `line ${index}\n`).join("") };
  const wire = toWireEvent(event({ ...end, content: "", details: { change: big } }));
  expect([wire.diff?.lines.length, wire.diff?.isCut]).toEqual([80, true]);
  expect(toWireEvent(event({ ...end, content: "", details: { other: 1 } }))).toEqual(rest);
});

test("nothing in a diff can disguise itself", () => {
  const change = { path: "a", line: 1, before: "", after: "a\u202eb\n" };
  expect(toWireEvent(event({ ...end, content: "", details: { change } })).diff?.lines).toEqual([
    { sign: "+", text: "a\\u{202e}b", number: 1 },
  ]);
});

test("odd details and deep inputs do not throw", () => {
  let deep: unknown = "x".repeat(9_000);
  for (let level = 0; level < 5_000; level++) deep = { deep };
  const odd = [
    null,
    1,
    "x",
    [],
    { change: null },
    { change: { path: 1 } },
    { change: { path: "a", before: 1, after: "" } },
  ];
  for (const details of odd) wireEventSchema.parse(toWireEvent(event({ ...end, content: "", details })));
  wireEventSchema.parse(toWireEvent(event({ type: "ToolStart", callId: "c", tool: "t", input: deep })));
  const unknown = { type: "Later", seq: 1, at: 1, sessionId: "s", runId: "r", severity: "info", text: "x" };
  expect(toWireEvent(unknown as unknown as AgentEvent)).toEqual(unknown);
});

test("an event of any shape has a bounded size, and says that it was cut", () => {
  const nest = (depth: number): unknown => (depth === 0 ? "end" : { a: nest(depth - 1), b: ["x".repeat(50)] });
  const inputs: readonly unknown[] = [
    { list: Array.from({ length: 200_000 }, (_, index) => index) },
    Array.from({ length: 2_000 }, () => "y".repeat(3_900)),
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`name${index}`, { deep: ["z".repeat(90)] }])),
    nest(2_000),
    { ["k".repeat(300_000)]: 1 },
    Array.from({ length: 30 }, () =>
      Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => "w".repeat(99))),
    ),
  ];
  for (const input of inputs) {
    const wire = toWireEvent(event({ type: "ToolStart", callId: "c", tool: "x", input } as AgentEventBody));
    expect(JSON.stringify(wire).length).toBeLessThanOrEqual(64_000);
    expect(Object.keys(wire.cut ?? {})).not.toEqual([]);
    expect(wire).toMatchObject({ type: "ToolStart", callId: "c", tool: "x", seq: 1 });
    wireEventSchema.parse(wire);
  }
});

test("of a large change only the beginning is compared and sent", () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join("\n");
  const change = { path: "a.ts", line: 1, before: lines("old"), after: lines("new") };
  const wire = toWireEvent(event({ ...end, content: "", details: { change } } as AgentEventBody));
  expect(wire.diff).toMatchObject({ path: "a.ts", isCut: true });
  expect(wire.diff?.lines.length).toBe(80);
  const longLine = { path: "a.ts", line: 1, before: "", after: "x".repeat(39_000) };
  const cut = toWireEvent(event({ ...end, content: "", details: { change: longLine } } as AgentEventBody));
  expect(cut.diff).toMatchObject({ lines: [{ sign: "+", text: "x".repeat(1_000) }], isCut: true });
});

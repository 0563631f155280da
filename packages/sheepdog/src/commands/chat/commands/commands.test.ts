import type { Message, SessionDocument } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { evidenceCalls } from "../evidence-calls.ts";
import { intervention } from "../state/testing.ts";
import { completions, parseCommand } from "./commands.ts";
import { sessionMarkdown } from "./session-markdown.ts";

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const called = (id: string, command: string, content: string): readonly Message[] => [
  {
    role: "assistant",
    id: `m${id}`,
    at: 0,
    parts: [{ type: "call", id, tool: "bash", input: { command } }],
    stop: "calls",
    model: "m",
    usage,
  },
  { role: "tool", id: `r${id}`, at: 0, callId: id, tool: "bash", status: "error", content },
];

test("a command is one word after a slash; a path or a fraction is not a command", () => {
  expect(["/quit", "/exit", " /MODEL a:b ", "/?", "/"].map(parseCommand)).toEqual([
    { type: "command", name: "quit", argument: "" },
    { type: "command", name: "quit", argument: "" },
    { type: "command", name: "model", argument: "a:b" },
    { type: "command", name: "help", argument: "" },
    { type: "unknown", sentence: "There is no command /. /help lists all commands." },
  ]);
  expect(["/usr/bin", "1/2", "see /help", "/two\nlines"].map(parseCommand)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([completions("/co"), completions("co"), completions("/cost ")]).toEqual([["cost", "context"], [], []]);
});

test("evidence is looked up by index among all calls of the session, saved calls first", () => {
  const saved = [...called("a", "make", "no rule"), ...called("b", "make", "\n\u001b[2Jno rule")];
  const shown = [
    { type: "call", seq: 1, at: 1, callId: "b", turn: 1, tool: "bash", input: { command: "make" } },
    { type: "call", seq: 1, at: 1, callId: "c", turn: 2, tool: "bash", input: { command: "make -B" } },
  ] as const;
  expect(evidenceCalls(intervention({ evidence: [0, 1, 2, 9] }), saved, shown)).toEqual([
    { call: "bash make", outcome: "error: no rule" },
    { call: "bash make", outcome: "error: no rule" },
    { call: "bash make -B", outcome: "running:" },
  ]);
});

test("in an exported session, no output can end its own fence", () => {
  const messages: readonly Message[] = [
    { role: "user", id: "u", at: 0, origin: "person", text: "Build \u001b[2Jit." },
    { role: "user", id: "v", at: 0, origin: "automatic", text: "internal", reason: "max_tokens_recovery" },
    ...called("a", "make", "````\nevil"),
  ];
  const document: SessionDocument = {
    schemaVersion: 1,
    exportedAt: 0,
    session: { sessionId: "ses_1", createdAt: 0, updatedAt: 0, unansweredCalls: [], lastSeq: 0 },
    runs: [],
    messages,
    events: [],
    costs: [],
    audit: [],
  };
  const text = sessionMarkdown(document);
  expect(text).toContain("# Session ses_1\n");
  expect(text).toContain("## person\n\nBuild it.");
  expect(text).toContain("`````\n````\nevil\n`````");
  expect(text).not.toContain("internal");
});

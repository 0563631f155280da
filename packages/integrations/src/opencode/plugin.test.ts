import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PluginAnswer, PluginEvent } from "../hooks/plugin-event.ts";
import { SheepdogPlugin } from "./plugin.ts";
import type { Hooks, MessageInfo, PluginInput } from "./plugin-input.ts";

let folder = "";
const savedHome = process.env["SHEEPDOG_HOME"];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sheepdog-plugin-"));
  process.env["SHEEPDOG_HOME"] = folder;
});
afterEach(() => {
  if (savedHome === undefined) delete process.env["SHEEPDOG_HOME"];
  else process.env["SHEEPDOG_HOME"] = savedHome;
  rmSync(folder, { recursive: true });
});

/** A hook that stores each event as a line, and answers by its name. */
function installHook(answers: Readonly<Partial<Record<PluginEvent["event"], PluginAnswer | string>>> = {}): void {
  const script = `#!/usr/bin/env node
const { appendFileSync, readFileSync } = require("node:fs");
const event = readFileSync(0, "utf8");
appendFileSync(${JSON.stringify(join(folder, "events"))}, event + "\\n");
const answer = ${JSON.stringify(answers)}[JSON.parse(event).event];
process.stdout.write(typeof answer === "string" ? answer : JSON.stringify(answer ?? {}));
`;
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "sheepdog-hook"), script);
  chmodSync(join(folder, "bin", "sheepdog-hook"), 0o755);
}

function reported(): readonly PluginEvent[] {
  if (!existsSync(join(folder, "events"))) return [];
  const lines = readFileSync(join(folder, "events"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as PluginEvent); // written by the plugin
}

interface Program {
  readonly hooks: Hooks;
  readonly aborted: string[];
  readonly toasts: string[];
}

async function startProgram(messages: readonly MessageInfo[] = []): Promise<Program> {
  const [aborted, toasts]: [string[], string[]] = [[], []];
  const client: PluginInput["client"] = {
    session: {
      abort: async ({ path }) => aborted.push(path.id),
      messages: async () => ({ data: messages.map((info) => ({ info })) }),
    },
    tui: { showToast: async ({ body }) => toasts.push(body.message) },
  };
  return { hooks: await SheepdogPlugin({ client, directory: folder }), aborted, toasts };
}

const call = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const args = { command: "npm test" };

function reply(id: string, cost: number): MessageInfo {
  const tokens = { input: 600, output: 40, reasoning: 10, cache: { read: 400, write: 0 } };
  return { id, sessionID: "ses_1", role: "assistant", modelID: "model-1", cost, tokens };
}

test("calls, results and prompts are reported in order, with what was used", async () => {
  installHook();
  const { hooks } = await startProgram();
  const session = { id: "ses_1", sessionID: "ses_1", role: "" };
  await hooks.event({ event: { type: "session.created", properties: { info: session } } });
  const text = { id: "p", messageID: "m", sessionID: "ses_1", type: "text", text: "fix the tests" };
  await hooks["chat.message"]({ sessionID: "ses_1" }, { message: {}, parts: [text] });
  await hooks.event({ event: { type: "message.updated", properties: { info: reply("m1", 0.001) } } });
  await hooks.event({ event: { type: "message.updated", properties: { info: reply("m1", 0.002) } } }); // again
  await hooks["tool.execute.before"](call, { args });
  const metadata = { exit: 0 };
  await hooks["tool.execute.after"]({ ...call, args }, { output: "12 passed", metadata });
  const answer = { ...text, id: "p2", messageID: "m1", text: "The tests pass." };
  await hooks.event({ event: { type: "message.part.updated", properties: { part: answer } } });
  await hooks.event({ event: { type: "message.part.updated", properties: { part: text } } }); // the prompt is no reply
  await hooks.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });

  const usage = { inputTokens: 1_000, cacheReadTokens: 400, cacheWriteTokens: 0, outputTokens: 50, costUsd: 0.002 };
  const frame = { version: 1, session: "ses_1", directory: folder };
  const used = { ...frame, model: "model-1", usage };
  const planned = { id: "call_1", tool: "bash", args };
  expect(reported()).toEqual([
    { ...frame, event: "chat.message", text: "fix the tests" },
    { ...used, event: "tool.execute.before", call: planned },
    { ...used, event: "tool.execute.after", call: planned, output: "12 passed", exitCode: 0 },
    { ...used, event: "session.idle", text: "The tests pass." },
  ]);
});

test("a refusal is an error in place of the call, and a hint a part of its result", async () => {
  installHook({ "tool.execute.before": { deny: "Refused." }, "tool.execute.after": { tell: "Look." } });
  const { hooks, aborted } = await startProgram();
  await expect(hooks["tool.execute.before"](call, { args })).rejects.toThrow("Refused.");
  const result = { output: "1 failed" };
  await hooks["tool.execute.after"]({ ...call, args }, result);
  expect(result.output).toBe("1 failed\n\nLook.");
  expect(aborted).toEqual([]);
});

test("a stop is shown as the error of the call, and then ends the session that the user sees", async () => {
  installHook({ "tool.execute.before": { deny: "Ended.", stop: "Sheepdog stopped opencode." } });
  const { hooks, aborted, toasts } = await startProgram();
  const child = { id: "ses_2", sessionID: "ses_2", role: "", parentID: "ses_1" };
  await hooks.event({ event: { type: "session.created", properties: { info: child } } });
  const inChild = { ...call, sessionID: "ses_2" };
  await expect(hooks["tool.execute.before"](inChild, { args })).rejects.toThrow("Sheepdog stopped opencode.");
  expect(aborted).toEqual([]);
  const state = { status: "error", input: args, error: "Sheepdog stopped opencode." };
  const part = { id: "p", messageID: "m", sessionID: "ses_2", type: "tool", tool: "bash", callID: "call_1", state };
  await hooks.event({ event: { type: "message.part.updated", properties: { part } } });
  expect(aborted).toEqual(["ses_1"]);
  expect(toasts).toEqual(["Sheepdog stopped opencode."]);
  expect(reported().at(-1)).toMatchObject({ session: "ses_1", subagent: "ses_2" });
});

test("a prompt is refused once the budget is spent", async () => {
  installHook({ "chat.message": { stop: "The budget is spent." } });
  const { hooks, aborted, toasts } = await startProgram();
  await expect(hooks["chat.message"]({ sessionID: "ses_1" }, { message: {}, parts: [] })).rejects.toThrow("spent");
  expect(aborted).toEqual([]); // nothing has begun
  expect(toasts).toEqual(["The budget is spent."]);
});

test("a failed call is reported with the next request, and the hint stays with its error", async () => {
  installHook({ "experimental.chat.messages.transform": { tell: "Look." } });
  const { hooks } = await startProgram();
  await hooks["tool.execute.before"](call, { args });
  const part = () => {
    const state = { status: "error", input: args, error: "File not found" };
    return { id: "p", messageID: "m", sessionID: "ses_1", type: "tool", tool: "bash", callID: "call_1", state };
  };
  await hooks.event({ event: { type: "message.part.updated", properties: { part: part() } } });
  for (const _ of [1, 2]) {
    const messages = [{ info: reply("m1", 0), parts: [part()] }]; // opencode reads its messages anew
    await hooks["experimental.chat.messages.transform"]({}, { messages });
    expect(messages[0]?.parts[0]?.state.error).toBe("File not found\n\nLook.");
  }
  const failed = [{ call: { id: "call_1", tool: "bash", args }, error: "File not found" }];
  const reports = reported().filter(({ event }) => event === "experimental.chat.messages.transform");
  expect(reports).toMatchObject([{ failed }]);
});

test("a session of an earlier start is continued with what it had used", async () => {
  installHook();
  const { hooks } = await startProgram([reply("m1", 0.5), reply("m2", 0.25)]);
  await hooks["tool.execute.before"](call, { args });
  expect(reported()[0]?.usage).toMatchObject({ inputTokens: 2_000, costUsd: 0.75 });
});

test("without a hook, and with one that prints something else, opencode continues", async () => {
  const { hooks } = await startProgram();
  await hooks["tool.execute.before"](call, { args });
  installHook({ "tool.execute.before": "{oops", "tool.execute.after": "[]" });
  await hooks["tool.execute.before"](call, { args });
  const result = { output: "12 passed" };
  await hooks["tool.execute.after"]({ ...call, args }, result);
  expect(result.output).toBe("12 passed");
});

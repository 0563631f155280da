import { expect, test } from "vitest";
import { z } from "zod";
import type { Message } from "../protocol/messages.ts";
import { defineTool } from "../tools/define-tool.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { createRunChanges } from "./run-changes.ts";
import { createWrittenFiles } from "./written-files.ts";

const write = defineTool({
  name: "write",
  kind: "mutate",
  description: "Writes a file.",
  input: z.object({ path: z.string() }),
  touches: ({ path }) => [path],
  run: () => "ok",
});

/** A reply with one call, and its result. */
function call(id: string, { at = 10, tool = "write", path = "/work/a", status = "ok" } = {}): readonly Message[] {
  // Only what is read here: the other fields of a message do not matter.
  return [
    { role: "assistant", id: `r${id}`, at, parts: [{ type: "call", id, tool, input: { path } }] },
    { role: "tool", id: `t${id}`, at, callId: id, tool, status, content: "" },
  ] as unknown as readonly Message[];
}

function changesOf(messages: Message[]) {
  const setup = { startedAt: 5, workspace: "/work", tools: createToolRegistry([write]) };
  const run = { setup, history: { messages }, writtenFiles: createWrittenFiles() };
  return createRunChanges(run);
}

test("tools and files of this run are listed once, without those of refused calls and earlier runs", () => {
  const changes = changesOf([
    ...call("0", { at: 1, path: "/work/earlier", tool: "earlier" }),
    ...call("1"),
    ...call("2", { path: "/etc/hosts" }),
    ...call("3"),
    ...call("4", { tool: "bash", status: "denied" }),
    ...call("5", { tool: "look", status: "error" }),
  ]);
  expect(changes.usedTools()).toEqual(["write", "look"]);
  expect(changes.writtenFiles()).toEqual(["a", "/etc/hosts"]);
});

test("each message is read once, however often and long a run is judged", () => {
  let reads = 0;
  const counted = (message: Message): Message =>
    new Proxy(message, {
      get(target, key) {
        if (key === "at") reads += 1;
        return Reflect.get(target, key);
      },
    });
  const messages: Message[] = [];
  const changes = changesOf(messages);
  for (let turn = 0; turn < 100; turn += 1) {
    messages.push(...call(String(turn), { path: `/work/${turn}` }).map(counted));
    expect([changes.writtenFiles().length, changes.usedTools().length]).toEqual([turn + 1, 1]);
  }
  expect(reads).toBe(messages.length);
});

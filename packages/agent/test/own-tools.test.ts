import { createRuntime, defineTool, type Gate, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { bashTool } from "../src/tools/bash-tool.ts";

/** Runs one call of a tool and returns its result as the model reads it. */
async function resultOf(tool: Tool, input: object, options: Partial<RuntimeOptions> = {}) {
  const model = scriptedModel([{ calls: [{ tool: tool.name, input }] }], { afterLast: { text: "Done." } });
  const runtime = createRuntime({ models: [model], tools: [tool], ...options });
  await runtime.run("ses_1", "Go.").result;
  const { messages } = await runtime.stores.sessions.load("ses_1");
  return messages.flatMap((message) => (message.role === "tool" ? [`${message.status}: ${message.content}`] : []));
}

const issue = (more: Partial<Tool> = {}): Tool =>
  defineTool({
    name: "create_issue",
    description: "Creates an issue.",
    input: z.object({ title: z.string() }),
    run: ({ title }) => `created ${title}`,
    ...more,
  });

describe("tools of the embedding program, without a gate", () => {
  test.each(["unknown", "mutate", "send", undefined] as const)("kind %s is allowed", async (kind) => {
    expect(await resultOf(issue(kind === undefined ? {} : { kind }), { title: "x" })).toEqual(["ok: created x"]);
  });

  test("a tool without a kind may have any name, also bash", async () => {
    expect(await resultOf(issue({ name: "bash" }), { title: "x", command: "sudo reboot" })).toEqual(["ok: created x"]);
  });

  test("a dangerous command of the built-in bash tool is still refused", async () => {
    expect(await resultOf(bashTool(), { command: "sudo reboot" })).toEqual([
      expect.stringMatching(/^denied: Not run: /),
    ]);
  });
});

test("a gate of the embedding program can deny its tools", async () => {
  const gate: Gate = { decide: async () => ({ tier: 3, decision: "deny", reason: "Not on Sundays." }) };
  expect(await resultOf(issue(), { title: "x" }, { gate })).toEqual(["denied: Not run: Not on Sundays."]);
});

test("createRuntime throws a sentence when a tool is defined wrongly", () => {
  const models = [scriptedModel([])];
  expect(() => createRuntime({ models, tools: [issue(), issue()] })).toThrow('Two tools are named "create_issue"');
  const wrong = { ...issue(), kind: "sned" } as unknown as Tool; // JavaScript programs can pass anything
  expect(() => createRuntime({ models, tools: [wrong] })).toThrow('did you mean "send"?');
});

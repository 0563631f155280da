import { ok } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { canary, done, tool } from "./fault-fixture.ts";
import { testAgent } from "./test-agent.ts";

const look = tool("look", "read", async () => ok("seen"));

test("a call that cannot be executed is published with its input and the reason", async () => {
  const script = [
    { calls: [{ tool: "lok", input: { page: 1 } }] },
    { calls: [{ tool: "look", inputText: "[1, 2" }] },
    { calls: [{ tool: canary, input: {} }] },
    done,
  ];
  const { run, events } = testAgent(scriptedModel(script), [look]);
  await run();
  const toolEvents = events.flatMap((event) => (event.type === "ToolStart" || event.type === "ToolEnd" ? [event] : []));
  expect(toolEvents).toMatchObject([
    { type: "ToolStart", tool: "lok", input: { page: 1 } },
    { type: "ToolEnd", tool: "lok", status: "unknown-tool", content: expect.stringContaining("look") },
    { type: "ToolStart", tool: "look", input: undefined },
    { type: "ToolEnd", tool: "look", status: "invalid-arguments" },
    { type: "ToolStart" },
    { type: "ToolEnd", status: "unknown-tool" },
  ]);
  expect(JSON.stringify(events)).not.toContain(canary);
});

test("a refused call is published with its input and the reason, and the model reads the reason", async () => {
  const model = scriptedModel([{ calls: [{ tool: "look", input: { page: 7 } }] }, done]);
  const { run, events } = testAgent(model, [look], {
    gate: { decide: async () => ({ tier: 4, decision: "deny", reason: "not today" }) },
  });
  await run();
  expect(events.filter(({ type }) => type === "GateDecision" || type === "ToolBlocked")).toMatchObject([
    { type: "GateDecision", tool: "look", tier: 4, decision: "deny", reason: "not today" },
    { tool: "look", input: { page: 7 }, by: "gate", message: expect.stringContaining("not today") },
  ]);
  expect(model.requests[1]?.text).toContain("not today");
});

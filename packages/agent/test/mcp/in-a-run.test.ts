import { createGate, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { createRunTools } from "../../src/loop/run-tools.ts";
import { calls, done } from "../fault-fixture.ts";
import { session, testAgent } from "../test-agent.ts";
import { connected, hostile } from "./connected.ts";

const timeout = 60_000;

test("a run calls a tool of a server, and its result is marked as data", { timeout }, async (context) => {
  const { mcp } = await connected(context, [hostile("error")]);
  const agent = testAgent(scriptedModel([calls("evil__look", {}), done]), [], { changingTools: () => mcp.tools() });
  expect((await agent.runtime.run(session, "Look.").result).reason).toBe("answered");
  const [result] = await agent.results();
  expect(result).toMatchObject({ status: "error", tool: "evil__look" });
  expect(result?.content).toContain('<data source="the tool evil__look">');
  expect(result?.content).toContain("&lt;system>obey");
});

test("the gate asks about a tool that says it only reads, unless the user trusts the server", {
  timeout,
}, async (context) => {
  const statuses = async (options: Parameters<typeof hostile>[2]) => {
    const { mcp } = await connected(context, [hostile("plain", "", options)]);
    const agent = testAgent(scriptedModel([calls("evil__look", {}), done]), [], {
      changingTools: () => mcp.tools(),
      gate: createGate({ attended: false }),
    });
    await agent.runtime.run(session, "Look.").result;
    return (await agent.results()).map(({ status }) => status);
  };
  expect(await statuses({})).toEqual(["denied"]);
  expect(await statuses({ trustsAnnotations: true })).toEqual(["ok"]);
  expect(await statuses({ kinds: { "lo*": "read" } })).toEqual(["ok"]);
  expect(await statuses({ kinds: { look: "send" }, trustsAnnotations: true })).toEqual(["denied"]);
});

test("a tool that arrives during a run is offered from the next turn on", { timeout }, async (context) => {
  const { mcp } = await connected(context, [hostile("plain")]);
  let arrived: readonly Tool[] = [];
  const late: Tool = {
    ...(mcp.tools()[0] as Tool),
    name: "wait",
    run() {
      arrived = mcp.tools();
      return "here it comes";
    },
  };
  const model = scriptedModel([calls("evil__look", {}), calls("wait", {}), calls("evil__look", {}), done]);
  const agent = testAgent(model, [late], { changingTools: () => arrived });
  await agent.runtime.run(session, "Look.").result;
  expect((await agent.results()).map(({ status }) => status)).toEqual(["unknown-tool", "ok", "ok"]);
});

test("a tool of the runtime keeps its name", async () => {
  const tool = (name: string, description: string): Tool => ({
    name,
    description,
    input: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
    jsonSchema: { type: "object" },
    run: () => "",
  });
  let changing = [tool("read", "theirs"), tool("look", "theirs")];
  const tools = await createRunTools([tool("read", "ours")], () => changing);
  expect(tools.definitions.map(({ name, description }) => [name, description])).toEqual([
    ["read", "ours"],
    ["look", "theirs"],
  ]);
  changing = [];
  expect(tools.find("look")?.name).toBe("look");
  await tools.refresh();
  expect(tools.names).toEqual(["read"]);
});

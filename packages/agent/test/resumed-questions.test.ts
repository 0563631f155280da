import {
  type AskAboutRun,
  memoryStores,
  ok,
  type RunQuestion,
  type RuntimeOptions,
  type Stores,
} from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { crashingStores, never } from "./crashing-stores.ts";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

/** A tool whose calls always fail in the same way, and how often it was executed. */
function failingTool() {
  let executions = 0;
  const act = async () => {
    executions += 1;
    return { status: "error", content: "Error: no such table: sheep" } as const;
  };
  return { tool: tool("query", "mutate", act), executions: () => executions };
}

const sameCall = Array.from({ length: 30 }, () => calls("query", { sql: "select * from sheep" }));
const otherCalls = Array.from({ length: 30 }, (_, page) => calls("look", { page }));
const look = tool("look", "read", async (input) => ok(`page ${JSON.stringify(input)} is about sheep`));

/** Crashes a process in which a question about the run is open. */
async function crashAtQuestion(
  stores: Stores,
  turns: readonly ScriptedTurn[],
  tools: Parameters<typeof testAgent>[1],
  options: Partial<RuntimeOptions>,
): Promise<RunQuestion> {
  const process = crashingStores(stores);
  const question = await new Promise<RunQuestion>((resolve) => {
    const askAboutRun: AskAboutRun = (asked) => {
      resolve(asked);
      return never();
    };
    const agent = testAgent(scriptedModel(turns), tools, { ...options, stores: process.stores, askAboutRun });
    agent.runtime.run(session, "Go.");
  });
  await process.crash();
  return question;
}

test("a question about a loop that was open in a crashed process is asked again before anything else", async () => {
  const stores = memoryStores();
  const query = failingTool();
  const question = await crashAtQuestion(stores, sameCall, [query.tool], {});
  const executed = query.executions();

  const asked: RunQuestion[] = [];
  const model = scriptedModel([done]);
  const askAboutRun: AskAboutRun = async (again) => {
    asked.push(again);
    expect([model.requests.length, query.executions()]).toEqual([0, executed]);
    return { type: "stop" };
  };
  const agent = testAgent(model, [query.tool], { stores, askAboutRun });
  const result = await (await agent.runtime.resume(session)).result;
  expect(asked).toMatchObject([{ id: question.id, turns: question.turns, costNanoUsd: question.costNanoUsd }]);
  expect(result.reason).toBe("tool_failures");
  expect(query.executions()).toBe(executed);
  expect(agent.count("GuardianDoomLoop")).toBe(0); // announced by the crashed process
});

test.each(["continue", "tell"] as const)("the answer %s to such a question lets the run continue", async (type) => {
  const stores = memoryStores();
  const query = failingTool();
  await crashAtQuestion(stores, sameCall, [query.tool], {});
  const model = scriptedModel([done]);
  const answer = type === "tell" ? { type, text: "Use the table dogs." } : { type };
  const agent = testAgent(model, [query.tool], { stores, askAboutRun: async () => answer });
  const result = await (await agent.runtime.resume(session)).result;
  expect(result.reason).toBe("answered");
  expect(model.requests[0]?.text.includes("Use the table dogs.")).toBe(type === "tell");
});

test("a question about a limit is asked again after a crash", async () => {
  const stores = memoryStores();
  const options = { settings: { maxTurns: 3 } };
  const question = await crashAtQuestion(stores, otherCalls, [look], options);
  const asked: RunQuestion[] = [];
  const model = scriptedModel([done]);
  const askAboutRun: AskAboutRun = async (again) => {
    asked.push(again);
    expect(model.requests).toHaveLength(0);
    return { type: "continue" };
  };
  const agent = testAgent(model, [look], { ...options, stores, askAboutRun });
  const result = await (await agent.runtime.resume(session)).result;
  expect(asked.map(({ intervention }) => intervention.detector)).toEqual(["turns"]);
  expect(asked[0]?.costNanoUsd).toBe(question.costNanoUsd);
  expect(result.reason).toBe("answered");
});

import { setTimeout } from "node:timers/promises";
import { type AgentEvent, defineTool, type Goal, type Model, type RuntimeOptions } from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { z } from "zod";
import { testRuntime } from "../test-runtime.ts";
import { answers, directedModel, fails, planTurn } from "./directed-model.ts";

const goal: Goal = { text: "The report is written.", criteria: [{ type: "OutputContains", text: "report" }] };

function start(model: Model, options: Partial<RuntimeOptions> = {}) {
  const { runtime } = testRuntime(model, options.tools ?? [], options);
  const events: AgentEvent[] = [];
  runtime.bus.subscribe((event) => void events.push(event));
  const run = runtime.runWithDirector("ses_1", "Write the report.", goal);
  /** The ends of nodes, in order. */
  const nodes = () =>
    events.flatMap((event) => (event.type === "NodeComplete" ? [`${event.nodeId} ${event.status}`] : []));
  return { run, runtime, events, nodes };
}

async function direct(model: Model, options: Partial<RuntimeOptions> = {}) {
  const started = start(model, options);
  return { ...started, result: await started.run.result };
}

const typesOf = (events: readonly AgentEvent[], ...types: readonly string[]) =>
  events.flatMap(({ type }) => (types.includes(type) ? [type] : []));

test("nodes run in the order of their edges and read the outputs that they name", async () => {
  const model = directedModel(
    [planTurn(["look", { id: "write", inputs: ["look"] }], ["look > write"])],
    (id, _, { text }) => ({ text: id === "write" ? `It says: ${/look is \w+/.exec(text)}` : "look is done" }),
  );
  const { result, nodes, events } = await direct(model);
  expect(result).toMatchObject({ reason: "goal_accepted", exitCode: 0, text: "The report is done." });
  expect(nodes()).toEqual(["look succeeded", "write succeeded"]);
  expect(typesOf(events, "GraphGenerated", "NodeStarted", "NodeComplete")).toEqual([
    "GraphGenerated",
    "NodeStarted",
    "NodeComplete",
    "NodeStarted",
    "NodeComplete",
  ]);
  expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("It says: look is done");
});

test("independent nodes run at the same time, up to the limit", async () => {
  let running = 0;
  let most = 0;
  const model = directedModel([planTurn(["a", "b", "c", "d", "e"])], async (id) => {
    running += 1;
    most = Math.max(most, running);
    await setTimeout(20);
    running -= 1;
    return { text: id };
  });
  const { nodes } = await direct(model, { settings: { maxParallelNodes: 2 } });
  expect([nodes().length, most]).toEqual([5, 2]);
});

test("a comparison with an output decides which node runs", async () => {
  const edges = ["yes", "no"].map((word) => ({ from: "ask", to: word, when: { output: "ask", equals: word } }));
  const model = directedModel([planTurn(["ask", "yes", "no", "end"], [...edges, "yes > end", "no > end"])], (id) => ({
    text: id === "ask" ? "yes" : id,
  }));
  const { nodes, result } = await direct(model);
  expect(nodes().toSorted()).toEqual(["ask succeeded", "end succeeded", "no skipped", "yes succeeded"]);
  expect(result.reason).toBe("goal_accepted");
});

test("a failed node blocks those after it; a changed plan keeps what is done", async () => {
  const worked: string[] = [];
  const model = directedModel(
    [
      planTurn(["a", "b", "c"], ["a > b", "b > c"]),
      planTurn([{ id: "b2", inputs: ["a"] }, "c"], ["b2 > c"], { diagnosis: "b was too large." }),
    ],
    (id) => {
      worked.push(id);
      return id === "b" ? fails : { text: `${id} is done` };
    },
  );
  const { nodes, result, events } = await direct(model);
  expect(worked).toEqual(["a", "b", "b2", "c"]);
  expect(nodes()).toEqual(["a succeeded", "b failed", "c blocked", "b2 succeeded", "c succeeded"]);
  expect(events.find(({ type }) => type === "EvolutionTriggered")).toMatchObject({
    cycle: 1,
    maxCycles: 3,
    diagnosis: "b was too large.",
    failed: ["b"],
  });
  expect(result.reason).toBe("goal_accepted");
});

test("after the last allowed change the run is escalated, and the model is not asked again", async () => {
  const model = directedModel([planTurn(["a"]), planTurn(["a"]), planTurn(["a"])], () => fails);
  const { result } = await direct(model, { settings: { maxEvolutionCycles: 1 } });
  expect(result).toMatchObject({ reason: "goal_escalated", exitCode: 3 });
  expect(result.problem).toMatch(/^The plan failed after 1 change\. a: /);
  expect(model.requests.filter(({ text }) => text.includes("<director>"))).toHaveLength(2);
});

test("a failure that the plan handles does not fail the plan", async () => {
  const model = directedModel(
    [planTurn(["a", "mend", "end"], ["a > end", { from: "a", to: "mend", when: "failure" }, "mend > end"])],
    (id) => (id === "a" ? fails : { text: id }),
  );
  const { nodes, result } = await direct(model);
  expect(nodes()).toEqual(["a failed", "mend succeeded", "end succeeded"]);
  expect(result.reason).toBe("goal_accepted");
});

test("a broken plan may be repaired once", async () => {
  const cycle = planTurn(["a", "b"], ["a > b", "b > a"]);
  const repaired = await direct(directedModel([cycle, planTurn(["a"])], answers));
  expect(repaired.result.reason).toBe("goal_accepted");
  expect(repaired.events.find(({ type }) => type === "GraphRejected")).toMatchObject({
    problems: ["These nodes wait for each other: a → b → a."],
  });
  const model = directedModel([cycle, planTurn(["a"], ["a > x"])], answers);
  const { result, nodes } = await direct(model);
  expect(result).toMatchObject({ reason: "goal_escalated", exitCode: 3 });
  expect(result.problem).toContain("The plan was broken 2 times. The last problem: The edge a → x names x");
  expect([nodes(), model.requests.length]).toEqual([[], 2]);
});

test("a director may answer without a plan", async () => {
  const { result, events } = await direct(directedModel([{ text: "There is a report already." }], answers));
  expect(result).toMatchObject({ reason: "goal_accepted", text: "There is a report already." });
  expect(typesOf(events, "GraphGenerated")).toEqual([]);
});

const echo = (name: string, kind: "read" | "mutate") =>
  defineTool({ name, kind, description: name, input: z.object({}), run: () => "ok" });

test("the director may only read; a node has the tools that it names, or all", async () => {
  const tools = [echo("look", "read"), echo("change", "mutate")];
  const model = directedModel([planTurn([{ id: "a", tools: ["look"] }, "b"])], answers);
  await direct(model, { tools });
  const names = model.requests.map((request) => request.tools.map(({ name }) => name));
  expect(names).toEqual([["look", "execute_plan"], ["look"], ["look", "change"], ["look", "execute_plan"]]);
});

test("nodes run with the model that they name, and the director with its own", async () => {
  const [base, small, planner] = ["base", "small", "planner"].map((modelId) =>
    directedModel([planTurn([{ id: "a", model: "small" }, "b"])], answers, { modelId }),
  );
  if (base === undefined || small === undefined || planner === undefined) throw new Error("three models");
  const { result } = await direct(base, { nodeModels: { small }, directorModel: planner });
  expect(result.reason).toBe("goal_accepted");
  expect([planner, small, base].map(({ requests }) => requests.length)).toEqual([2, 1, 1]);
});

test("the requests of the director are planning in the ledger, and the costs of the nodes add up", async () => {
  const model = directedModel([planTurn(["a", "b"])], answers);
  const { result, events, runtime } = await direct(model, { price: () => 1_000 });
  const sums = await runtime.stores.costs.sums("purpose");
  expect(sums.map(({ key, requests }) => [key, requests])).toEqual([
    ["plan", 2],
    ["turn", 2],
  ]);
  const nodeCosts = events.flatMap((event) => (event.type === "NodeComplete" ? [event.costNanoUsd] : []));
  expect([nodeCosts, result.costNanoUsd, result.costWithSubagentsNanoUsd]).toEqual([[1_000, 1_000], 2_000, 4_000]);
});

test("the budget of the run is that of all its nodes", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `n${index}`);
  const model = directedModel([planTurn(ids)], answers);
  const { result, runtime } = await direct(model, {
    price: () => 1_000,
    policy: { ...defaultPolicy, limits: { "run-cost": { stop: 4_000 } } },
  });
  expect(result).toMatchObject({ reason: "run_budget", exitCode: 4 });
  const [total] = await runtime.stores.costs.sums("session");
  expect(total?.costNanoUsd).toBeLessThanOrEqual(5_000);
});

test("cancelling the run ends all nodes", async () => {
  const model = directedModel([planTurn(["a", "b", "c", "d"])], () => ({ text: "late", delayMs: 60_000 }));
  const { run, events } = start(model);
  for await (const event of run) if (event.type === "NodeStarted" && event.nodeId === "c") run.cancel();
  const result = await run.result;
  expect(result).toMatchObject({ reason: "cancelled", exitCode: 130 });
  const ends = events.flatMap((event) => (event.type === "RunError" ? [event.result.reason] : []));
  expect(ends).toEqual(["cancelled", "cancelled", "cancelled", "cancelled"]);
});

test("a later run of the session keeps what was done before it was cancelled", async () => {
  const model = directedModel(
    [planTurn(["a", "b"], ["a > b"]), planTurn([{ id: "b2", inputs: ["a"] }])],
    (id, _, { text }) =>
      id === "b" ? { text: "late", delayMs: 60_000 } : { text: `${id}: ${/a is \w+/.exec(text) ?? "a is done"}` },
  );
  const { run, runtime, nodes } = start(model);
  for await (const event of run) if (event.type === "NodeStarted" && event.nodeId === "b") run.cancel();
  await run.result;
  const resumed = await (await runtime.resume("ses_1")).result;
  expect(resumed.reason).toBe("goal_accepted");
  expect(nodes()).toEqual(["a succeeded", "b interrupted", "b2 succeeded"]);
  expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("b2: a is done");
});

test("several plans in one reply are executed one after the other", async () => {
  const [first, second] = [planTurn(["a"]), planTurn(["b"])];
  const both = { calls: [...(first.calls ?? []), ...(second.calls ?? [])] };
  const { nodes, events } = await direct(directedModel([both], answers));
  expect(nodes()).toEqual(["a succeeded", "b succeeded"]);
  expect(events.flatMap((event) => (event.type === "GraphGenerated" ? [event.cycle] : []))).toEqual([0, 1]);
});

test.each([
  ["10,000 nodes", planTurn(Array.from({ length: 10_000 }, (_, index) => `n${index}`))],
  ["an edge to itself", planTurn(["a"], ["a > a"])],
  ["a tool it may not have", planTurn([{ id: "a", tools: ["bash"] }])],
  ["a command as a goal", planTurn([{ id: "a", goal: { text: "x", command: "rm -r ." } }])],
  ["no nodes", planTurn([])],
  ["arguments that are no plan", { calls: [{ tool: "execute_plan", input: { plan: 1 } }] }],
])("a plan with %s is refused, and the run ends clearly", async (_, turn) => {
  const { result, nodes, events } = await direct(directedModel([turn, turn, turn], answers), {
    settings: { maxOutputTokens: 1_000_000, contextWindow: 2_000_000, maxContextTokens: 2_000_000 },
  });
  expect(result).toMatchObject({ reason: "goal_escalated", exitCode: 3 });
  expect(result.problem?.length).toBeLessThan(1_000);
  expect([nodes(), typesOf(events, "GraphRejected").length]).toEqual([[], 2]);
});

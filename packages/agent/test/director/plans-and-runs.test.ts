import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type AgentEvent,
  createRuntime,
  defineTool,
  type Goal,
  memoryStores,
  type RuntimeOptions,
  type Stores,
  sqliteStores,
} from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { crashingStores } from "../crashing-stores.ts";
import { allowAll } from "../test-runtime.ts";
import { answers, directedModel, fails, type NodeScript, planTurn } from "./directed-model.ts";

const goal: Goal = { text: "The report is written.", criteria: [{ type: "OutputContains", text: "report" }] };

function open(plans: Parameters<typeof directedModel>[0], work: NodeScript, options: Partial<RuntimeOptions> = {}) {
  const runtime = createRuntime({ models: [directedModel(plans, work)], gate: allowAll, ...options });
  const events: AgentEvent[] = [];
  runtime.bus.subscribe((event) => void events.push(event));
  const direct = (prompt: string) => runtime.runWithDirector("ses_1", prompt, goal);
  return { runtime, events, direct };
}

/** Stores whose calls take some time. */
function slowStores(ms: number, stores: Stores = memoryStores()): Stores {
  const { sessions } = stores;
  return {
    ...stores,
    sessions: {
      ...sessions,
      async load(sessionId) {
        await setTimeout(ms);
        return sessions.load(sessionId);
      },
      async commit(lease, commit) {
        await setTimeout(ms);
        return sessions.commit(lease, commit);
      },
    },
  };
}

async function nodeEnds(stores: Stores): Promise<readonly string[]> {
  const events = await stores.events.after("ses_1", 0);
  return events.flatMap((event) => (event.type === "NodeComplete" ? [`${event.nodeId} ${event.status}`] : []));
}

test("nodes that end at the same time are all saved, also as the last ones of a plan", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sheepdog-plan-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const stores of [await sqliteStores({ path: join(folder, "sheepdog.db") }), slowStores(5)]) {
    const { direct } = open([planTurn(["a", "b", "c"])], answers, { stores });
    expect(await direct("Write the report.").result).toMatchObject({ reason: "goal_accepted" });
    expect((await nodeEnds(stores)).toSorted()).toEqual(["a succeeded", "b succeeded", "c succeeded"]);
    await stores.close();
  }
});

test("nothing of a plan happens after its run was cancelled, and the ends of its nodes are saved", async () => {
  const stores = slowStores(30);
  const late: NodeScript = () => ({ text: "late", delayMs: 60_000 });
  const { direct, events } = open([planTurn(["a", "b", "c", "d"])], late, { stores });
  const run = direct("Write the report.");
  for await (const event of run) if (event.type === "GraphGenerated") run.cancel();
  expect(await run.result).toMatchObject({ reason: "cancelled" });
  const count = events.length;
  await setTimeout(200);
  expect(events.slice(count)).toEqual([]);
});

test("another prompt in the session plans anew: nothing of the former prompt is kept", async () => {
  const worked: string[] = [];
  const { direct } = open([planTurn(["a"]), { text: "The report is done." }, planTurn(["a"])], (id) => {
    worked.push(id);
    return { text: `${id} is done` };
  });
  expect(await direct("Write the report.").result).toMatchObject({ reason: "goal_accepted" });
  expect(await direct("Write the report again.").result).toMatchObject({ reason: "goal_accepted" });
  expect(worked).toEqual(["a", "a"]);
});

test("plans that succeed are no evolutions, however many there are", async () => {
  const { direct, events } = open(
    ["a", "b", "c", "d", "e", "f"].map((id) => planTurn([id])),
    answers,
  );
  expect(await direct("Write the report.").result).toMatchObject({ reason: "goal_accepted" });
  expect(events.filter(({ type }) => type === "EvolutionTriggered")).toEqual([]);
});

/** Crashes while node b waits for its model; returns the stores after the crash. */
async function crashDuringPlan() {
  const stores = memoryStores();
  const process1 = crashingStores(stores);
  let onWorking = () => {};
  const isWorking = new Promise<void>((resolve) => {
    onWorking = resolve;
  });
  const work: NodeScript = (id) => {
    if (id === "a") return { text: "a is done" };
    onWorking();
    return { text: "late", delayMs: 60_000 };
  };
  open([planTurn(["a", "b"], ["a > b"])], work, { stores: process1.stores }).direct("Write the report.");
  await isWorking;
  await process1.crash();
  return stores;
}

test.each(["runWithDirector", "run"] as const)("a new prompt after a crash drops the old plan: %s", async (method) => {
  const stores = await crashDuringPlan();
  const { runtime, events } = open([], () => ({ text: "Something else." }), { stores });
  const run = method === "run" ? runtime.run("ses_1", "Stop.") : runtime.runWithDirector("ses_1", "Stop.", goal);
  await run.result;
  expect(events.filter(({ type }) => type === "NodeStarted")).toEqual([]);
  const states = (await stores.sessions.list()).map(({ lastRun }) => lastRun?.state);
  expect(states).toHaveLength(3);
  expect(states).not.toContain("running");
});

test("a node that was cancelled before a crash continues", async () => {
  const stores = await crashDuringPlan();
  const nodes = (await stores.sessions.list()).filter(({ lastRun }) => lastRun?.billingSessionId !== undefined);
  const node = nodes.find(({ lastRun }) => lastRun?.state === "running");
  if (node?.lastRun === undefined) throw new Error("expected a running node");
  const claim = await stores.sessions.claim(node.sessionId, { id: "x", pid: 1, host: "h" }, Date.now());
  if (!claim.ok) throw new Error("expected a lease");
  await stores.sessions.commit(claim.lease, {
    at: Date.now(),
    run: { ...node.lastRun, state: "cancelled", reason: "cancelled", text: "" },
  });
  await stores.sessions.release(claim.lease);
  const { runtime, events } = open([], answers, { stores });
  expect(await (await runtime.resume("ses_1")).result).toMatchObject({ reason: "goal_accepted" });
  expect(events.filter((event) => event.type === "NodeComplete")).toMatchObject([
    { nodeId: "a", status: "succeeded", isEarlier: true },
    { nodeId: "b", status: "succeeded" },
  ]);
});

test("a node without its outputs has failed, whatever a judge says", async () => {
  const accepting = { evaluate: async () => ({ type: "accept" }) as const };
  const { direct, events } = open(
    [planTurn([{ id: "a", outputs: ["x", "y"] }])],
    () => ({ text: '<output name="x">1</output>' }),
    { judge: accepting, settings: { maxEvolutionCycles: 0 } },
  );
  expect(await direct("Write the report.").result).toMatchObject({ reason: "goal_escalated" });
  expect(events.find((event) => event.type === "NodeComplete")).toMatchObject({
    status: "failed",
    problem: "its answer does not have y",
  });
});

test("the session of a node is continued by its director only", async () => {
  const { direct, runtime, events } = open([planTurn(["a"]), planTurn(["a"])], () => fails, {
    settings: { maxEvolutionCycles: 0 },
  });
  await direct("Write the report.").result;
  const started = events.find((event) => event.type === "NodeStarted");
  if (started?.type !== "NodeStarted") throw new Error("expected a node");
  await expect(runtime.resume(started.childId)).rejects.toThrow("To continue it, resume ses_1.");
});

test("a hostile plan has a short list of problems", async () => {
  const tools = Array.from({ length: 100 }, (_, index) => `tool_${index}`);
  const turn = planTurn(Array.from({ length: 50 }, (_, index) => ({ id: `n${index}`, tools })));
  const { direct, events } = open([turn, turn], answers, { settings: { maxOutputTokens: 1_000_000 } });
  expect(await direct("Write the report.").result).toMatchObject({ reason: "goal_escalated" });
  const rejected = events.find((event) => event.type === "GraphRejected");
  expect(JSON.stringify(rejected).length).toBeLessThan(5_000);
});

test("a broken plan before a crash counts: the next one is the last", async () => {
  const stores = memoryStores();
  const process1 = crashingStores(stores);
  const broken = planTurn(["a"], ["a > a"]);
  const first = open([broken, broken, broken], answers, { stores: process1.stores });
  for await (const event of first.direct("Write the report.")) if (event.type === "TurnComplete") break;
  await process1.crash();
  const { runtime, events } = open([broken, broken, broken], answers, { stores });
  expect(await (await runtime.resume("ses_1")).result).toMatchObject({ reason: "goal_escalated" });
  expect(events.filter(({ type }) => type === "GraphRejected")).toHaveLength(1);
});

test("a node that was interrupted with its run continues in the next run, if it is planned unchanged", async () => {
  const steps: string[] = [];
  const plan = planTurn(["a", "b"], ["a > b"]);
  let isStopped = false;
  const work: NodeScript = (id, step) => {
    steps.push(`${id}${step}`);
    if (step === 0) return { calls: [{ tool: "unknown_tool" }] };
    return id === "b" && !isStopped ? { text: "late", delayMs: 60_000 } : { text: `${id} is done` };
  };
  const { direct, runtime, events } = open([plan, plan], work);
  const run = direct("Write the report.");
  for await (const event of run) {
    await setTimeout(5);
    if (event.type !== "NodeStarted" || event.nodeId !== "b") continue;
    while (!steps.includes("b1")) await setTimeout(5);
    run.cancel();
  }
  expect((await run.result).reason).toBe("cancelled");
  isStopped = true;
  expect(await (await runtime.resume("ses_1")).result).toMatchObject({ reason: "goal_accepted" });
  expect(steps).toEqual(["a0", "a1", "b0", "b1", "b1"]); // only the reply that was cut off is asked for again
  const ends = events.flatMap((event) => (event.type === "NodeComplete" ? [`${event.nodeId} ${event.status}`] : []));
  expect(ends).toEqual(["a succeeded", "b interrupted", "b succeeded"]);
});

test("an output with a secret is the same before and after a crash", async () => {
  const seen: string[] = [];
  const key = `sk-proj-${"a1B2c3D4".repeat(5)}`;
  const { direct } = open([planTurn(["a", { id: "b", inputs: ["a"] }], ["a > b"])], (id, _, { text }) => {
    if (id === "b") seen.push(text);
    return { text: id === "a" ? `The key is ${key}.` : "b is done" };
  });
  await direct("Write the report.").result;
  expect(seen.join("")).not.toContain(key);
});

test("what planning cost before a crash counts for the limit of the resumed run", async () => {
  const stores = memoryStores();
  const process1 = crashingStores(stores);
  const ids = Array.from({ length: 12 }, (_, index) => `n${index}`);
  const limits = { "run-cost": { stop: 10_000 } };
  const options = (own: Stores): Partial<RuntimeOptions> => ({
    stores: own,
    price: (_model, { output }) => (output > 20 ? 6_000 : 1_000), // a plan is long and dear
    policy: { ...defaultPolicy, limits },
    settings: { maxParallelNodes: 1 },
  });
  const first = open([planTurn(ids)], answers, options(process1.stores));
  for await (const event of first.direct("Write the report.")) if (event.type === "NodeComplete") break;
  await process1.crash();
  const { runtime } = open([planTurn(ids)], answers, options(stores));
  expect(await (await runtime.resume("ses_1")).result).toMatchObject({ reason: "run_budget" });
  const [total] = await stores.costs.sums("session");
  expect(total?.costNanoUsd).toBeLessThanOrEqual(11_000);
});

test("a node may not use what the goal forbids", async () => {
  let touched = 0;
  const touch = defineTool({
    name: "touch",
    kind: "mutate",
    description: "Writes a file.",
    input: z.object({ path: z.string() }),
    run: () => {
      touched += 1;
      return "written";
    },
  });
  const constraint = {
    level: "must",
    text: "No touching.",
    rule: { type: "ForbiddenTools", tools: ["touch"] },
  } as const;
  const { runtime } = open(
    [planTurn(["a"])],
    (_, step) => (step === 0 ? { calls: [{ tool: "touch", input: { path: "x" } }] } : { text: "done" }),
    { tools: [touch] },
  );
  const result = await runtime.runWithDirector("ses_1", "Go.", { ...goal, constraints: [constraint] }).result;
  expect([result.reason, touched]).toEqual(["goal_accepted", 0]);
});

test("a node has no more turns than its plan allows, also under a policy with a limit of its own", async () => {
  const limits = { turns: { stop: 25 } };
  const { direct, events } = open(
    [planTurn([{ id: "a", maxTurns: 2 }])],
    () => ({ calls: [{ tool: "unknown_tool" }] }),
    { policy: { ...defaultPolicy, limits }, settings: { maxEvolutionCycles: 0 } },
  );
  await direct("Write the report.").result;
  expect(events.find((event) => event.type === "NodeComplete")).toMatchObject({
    status: "failed",
    reason: "max_turns",
  });
});

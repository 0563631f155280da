import { type AgentEvent, createRuntime, defineTool, type Goal, memoryStores, type Stores } from "@sheepdog/agent";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { z } from "zod";
import { crashingStores } from "../crashing-stores.ts";
import { manualClock } from "../manual-clock.ts";
import { allowAll } from "../test-runtime.ts";
import { directedModel, fails, type NodeScript, planTurn } from "./directed-model.ts";

const goal: Goal = { text: "The report is written.", criteria: [{ type: "OutputContains", text: "report" }] };

/** Seven nodes: three at once, a condition that is not taken, and one that fails under two plans. */
const edges = ["a > b", "a > c", "a > d", "b > e", "c > e", "d > e", { from: "a", to: "never", when: "failure" }];
const plans = [
  planTurn(["a", "b", "c", "d", "never", "e", "f"], [...edges, "e > f"]),
  planTurn([{ id: "e2", inputs: ["b", "c", "d"] }, "f"], ["e2 > f"], { diagnosis: "e has failed." }),
  planTurn([{ id: "e3", inputs: ["b", "c", "d"] }, "f"], ["e3 > f"], { diagnosis: "e2 has failed, too." }),
];

/** Each node writes a note, then answers; some fail. */
const work: NodeScript = (id, step) => {
  if (step === 0) return { calls: [{ tool: "note", input: { id } }] };
  return id === "e" || id === "e2" ? fails : { text: `${id} is done` };
};

interface World {
  readonly stores: Stores;
  /** The side effects of all processes. */
  readonly notes: string[];
  readonly clock: ReturnType<typeof manualClock>;
}

function openRuntime({ notes, clock }: World, stores: Stores, runCostNanoUsd = 0) {
  const note = defineTool({
    name: "note",
    kind: "mutate",
    description: "Writes a note.",
    input: z.object({ id: z.string() }),
    run({ id }) {
      notes.push(id);
      return "written";
    },
  });
  const limits = runCostNanoUsd === 0 ? {} : { "run-cost": { stop: runCostNanoUsd } };
  return createRuntime({
    models: [directedModel(plans, work)],
    tools: [note],
    gate: allowAll,
    clock,
    stores,
    price: () => 1_000,
    policy: { ...defaultPolicy, limits },
  });
}

const newWorld = (): World => ({ stores: memoryStores(), notes: [], clock: manualClock() });

/** Runs the director in a process that crashes at the n-th node event, then in another one that resumes it. */
async function crashAt(boundary: number, runCostNanoUsd = 0) {
  const world = newWorld();
  const process1 = crashingStores(world.stores);
  const crashed = openRuntime(world, process1.stores, runCostNanoUsd);
  const run = crashed.runWithDirector("ses_1", "Write the report.", goal);
  let seen = 0;
  for await (const { type } of run) {
    if (type === "NodeStarted" || type === "NodeComplete") seen += 1;
    if (seen === boundary) break;
  }
  const hasCrashed = seen === boundary;
  if (hasCrashed) await process1.crash();
  const resumed = openRuntime(world, world.stores, runCostNanoUsd);
  const events: AgentEvent[] = [];
  resumed.bus.subscribe((event) => void events.push(event));
  const result = hasCrashed ? await (await resumed.resume("ses_1")).result : await run.result;
  return { result, world, events, hasCrashed };
}

const allNotes = ["a", "b", "c", "d", "e", "e2", "e3", "f"];

test("killed at any start or end of a node, the plan continues and no node does its work twice", async () => {
  let boundary = 1;
  for (; ; boundary += 1) {
    const { result, world, hasCrashed } = await crashAt(boundary);
    expect({ boundary, reason: result.reason }).toEqual({ boundary, reason: "goal_accepted" });
    expect(world.notes.toSorted()).toEqual(allNotes);
    const [total] = await world.stores.costs.sums("session");
    const rows = await world.stores.costs.rows("ses_1");
    expect(rows.filter(({ state }) => state === "reserved")).toEqual([]);
    expect(total?.costNanoUsd).toBe(rows.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0));
    if (!hasCrashed) break;
    expect(result.costWithSubagentsNanoUsd).toBe(total?.costNanoUsd);
  }
  expect(boundary).toBeGreaterThan(16);
});

test("the budget of the tree holds to one request, wherever the process was killed", async () => {
  const limit = 9_000;
  for (const boundary of [2, 5, 8]) {
    const { result, world } = await crashAt(boundary, limit);
    const [total] = await world.stores.costs.sums("session");
    expect(result.reason).toBe("run_budget");
    expect(total?.costNanoUsd).toBeLessThanOrEqual(limit + 1_000);
  }
});

test("a resumed plan tells which nodes ended before", async () => {
  const { events } = await crashAt(4);
  expect(events.find(({ type }) => type === "GraphGenerated")).toMatchObject({ isResumed: true, cycle: 0 });
  expect(events.find(({ type }) => type === "NodeComplete")).toMatchObject({ nodeId: "a", isEarlier: true });
});

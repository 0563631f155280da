import { type AgentEvent, memoryStores, ok, type Run } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { askingGate, crashingStores, never, silentUser } from "./crashing-stores.ts";
import { calls, done, tool } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const look = tool("look", "read", async ({ path }) => ok(`the text of ${path}`));

async function typesOf(run: Run): Promise<readonly AgentEvent["type"][]> {
  const types: AgentEvent["type"][] = [];
  for await (const { type } of run) types.push(type);
  return types;
}

describe("a halt", () => {
  test("that was applied is not revoked by a steering message in the same turn", async () => {
    let asked = 0;
    const chant = "I will now check the file again and again. ".repeat(400);
    const model = scriptedModel([], {
      afterLast({ text }) {
        if (!text.includes("PARENT")) return { text: chant };
        asked += 1;
        if (asked === 5) run.steer("Continue!");
        return calls("spawn", { task: `Look at meadow ${asked}.` });
      },
    });
    const agent = testAgent(model, [], { subagents: true });
    const run = agent.runtime.run(session, "PARENT");
    expect((await run.result).state).toBe("error");
    expect(asked).toBe(5);
  });
});

describe("the readers of a run", () => {
  test("that belongs to another runtime get no events, even if they started to read before", async () => {
    const stores = memoryStores();
    const busy = testAgent(scriptedModel([calls("look", { path: "a" })]), [tool("look", "read", () => never())], {
      stores,
    });
    const live = busy.runtime.run(session, "Go.");
    await new Promise((resolve) =>
      busy.runtime.bus.subscribe((event) => (event.type === "ToolStart" ? resolve(event) : undefined)),
    );
    const other = await testAgent(scriptedModel([done]), [look], { stores }).runtime.resume(session);
    const reading = typesOf(other);
    expect(await other.result).toMatchObject({
      reason: "internal_error",
      problem: expect.stringContaining("is in use by another runtime of this process"),
    });
    expect(await reading).toEqual([]);
    expect(await typesOf(other)).toEqual([]);
    live.cancel();
    await live.result;
  });

  test("reach the end even if its events are no longer stored", async () => {
    const agent = testAgent(scriptedModel([], { afterLast: done }));
    const run = agent.runtime.run(session, "Go.");
    await run.result;
    expect(await typesOf(run)).toContain("RunComplete");
    for (let other = 0; other < 130; other += 1) await agent.runtime.run(`other_${other}`, "Go.").result;
    expect(await typesOf(run)).toEqual([]);
  });
});

test("a second resume that is cancelled publishes nothing about the running run, and accepts no steering", async () => {
  const stores = memoryStores();
  const first = crashingStores(stores);
  const { asked, approve } = silentUser();
  const more = { gate: askingGate, attended: true, approve };
  testAgent(scriptedModel([calls("look", { path: "a" })]), [look], { ...more, stores: first.stores }).runtime.run(
    session,
    "Go.",
  );
  await asked;
  await first.crash();

  const again = silentUser();
  const agent = testAgent(scriptedModel([done]), [look], { ...more, approve: again.approve, stores });
  const live = await agent.runtime.resume(session);
  await again.asked;
  const doubled = await agent.runtime.resume(session);
  expect(await doubled.steer("Hello?")).toBe(false);
  doubled.cancel();
  expect((await doubled.result).reason).toBe("cancelled");
  live.cancel();
  expect((await live.result).reason).toBe("cancelled");
  expect(agent.events.filter(({ type }) => type === "RunError" || type === "RunComplete")).toHaveLength(1);
});

describe("subagents of subagents", () => {
  test("count against the limits of the topmost run", async () => {
    let lookCount = 0;
    const model = scriptedModel([], {
      afterLast({ text }) {
        if (text.includes("PARENT")) return calls("spawn", { task: "MIDDLE" });
        return text.includes("MIDDLE")
          ? calls("spawn", { task: "the deepest" })
          : calls("look", { path: `${lookCount++}` });
      },
    });
    const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 1_000 } } };
    const agent = testAgent(model, [look], { subagents: true, price: () => 100, policy, settings: { maxTurns: 100 } });
    expect((await agent.runtime.run(session, "PARENT").result).reason).toBe("run_budget");
    expect(model.requests).toHaveLength(10);
  });
});

describe("after a crash", () => {
  /** Crashes a process while its subagent executes a tool. Each request before cost 400. */
  async function crashInSubagent() {
    const stores = memoryStores();
    const first = crashingStores(stores);
    const childId = await new Promise<string>((resolve) => {
      const model = scriptedModel([], {
        afterLast: ({ text }) =>
          text.includes("PARENT") ? calls("spawn", { task: "Look." }) : calls("look", { path: "a" }),
      });
      const holds = tool("look", "read", () => {
        resolve(agent.events.flatMap((event) => (event.type === "ChildStarted" ? [event.childId] : []))[0] ?? "");
        return never();
      });
      const agent = testAgent(model, [holds], { subagents: true, price: () => 400, stores: first.stores });
      agent.runtime.run(session, "PARENT");
    });
    await first.crash();
    return { stores, childId };
  }

  test("a new prompt does not pay for the subagents of the crashed run", async () => {
    const { stores } = await crashInSubagent();
    const policy = { ...defaultPolicy, limits: { "run-cost": { stop: 450 } } };
    const agent = testAgent(scriptedModel([done]), [look], { subagents: true, price: () => 400, policy, stores });
    expect(await agent.runtime.run(session, "Something else.").result).toMatchObject({
      reason: "answered",
      costNanoUsd: 400,
    });
  });

  test("a subagent that the user resumes is paid for by the session that started it", async () => {
    const { stores, childId } = await crashInSubagent();
    const agent = testAgent(scriptedModel([done]), [look], { subagents: true, price: () => 400, stores });
    expect((await (await agent.runtime.resume(childId)).result).reason).toBe("answered");
    expect(await stores.costs.rows(childId)).toEqual([]);
    expect((await stores.costs.totals(session, Date.now())).session).toBeGreaterThanOrEqual(1_200);
  });

  test("a prompt that the model never read is sent together with the next one", async () => {
    const stores = memoryStores();
    for (const prompt of ["FIRST", "SECOND"]) {
      const process = crashingStores(stores);
      const { asked, approve } = silentUser();
      testAgent(scriptedModel([calls("look", { path: "a" })]), [look], {
        stores: process.stores,
        gate: askingGate,
        attended: true,
        approve,
      }).runtime.run(session, prompt);
      await asked;
      await process.crash();
    }
    const model = scriptedModel([], { afterLast: done });
    await testAgent(model, [look], {
      stores,
      gate: askingGate,
      attended: true,
      approve: async () => ({ isAllowed: true }),
    }).runtime.run(session, "THIRD").result;
    for (const prompt of ["FIRST", "SECOND", "THIRD"]) expect(model.requests.at(-1)?.text).toContain(prompt);
  });
});

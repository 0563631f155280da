import { type CostRow, memoryStores, ok, type RuntimeOptions, type Stores, type Usage } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy, type LimitName, type Policy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { thisProcess } from "../src/stores/holder.ts";
import { crashingStores, never } from "./crashing-stores.ts";
import { calls, done, longText, tool } from "./fault-fixture.ts";
import { manualClock } from "./manual-clock.ts";
import { session, testAgent } from "./test-agent.ts";

/** A reply that breaks off after text that has to be paid for. */
const breaksOff: ScriptedTurn = { text: longText, fault: { type: "error" } };
const refusedOnce: ScriptedTurn = { fault: { type: "status", status: 503 } };

const limited = (name: LimitName, stop: number): Policy => ({
  ...defaultPolicy,
  limits: { ...defaultPolicy.limits, [name]: { stop } },
});
const price100 = () => 100;
const inTokens = (_: string, { input, output }: Usage) => input + output;
const withReserve = (stores: Stores, reserve: Stores["costs"]["reserve"]): Stores => ({
  ...stores,
  costs: { ...stores.costs, reserve },
});

describe("attempts", () => {
  test("retries and fallbacks end before the attempt that the limit of the run does not cover", async () => {
    const models = ["ann", "bob", "cid"].map((modelId) => scriptedModel([], { modelId, afterLast: breaksOff }));
    const result = await testAgent(models, [], { price: price100, policy: limited("run-cost", 250) }).run();
    expect(result).toMatchObject({ reason: "run_budget", costNanoUsd: 200 });
    expect(models.map(({ requests }) => requests.length)).toEqual([2, 0, 0]);
  });

  test("a fallback gets no request if the model before it has spent the budget", async () => {
    const models = ["ann", "bob", "cid"].map((modelId) => scriptedModel([], { modelId, afterLast: breaksOff }));
    const result = await testAgent(models, [], {
      price: price100,
      settings: { maxRetries: 0 },
      policy: limited("run-cost", 250),
    }).run();
    expect(result.reason).toBe("run_budget");
    expect(models.map(({ requests }) => requests.length)).toEqual([1, 1, 0]);
  });

  test("a retry after a free failure has the full budget again: the first reservation is released", async () => {
    const price: RuntimeOptions["price"] = (_, { output }) => (output >= 4_096 ? 600_000 : 10);
    const agent = testAgent(scriptedModel([refusedOnce, done]), [], {
      price,
      policy: limited("session-cost", 1_000_000),
    });
    expect(await agent.run()).toMatchObject({ reason: "answered", costNanoUsd: 10 });
    expect(
      (await agent.runtime.stores.costs.rows(session)).map(({ state, costNanoUsd }) => [state, costNanoUsd]),
    ).toEqual([
      ["settled", 0],
      ["settled", 10],
    ]);
  });

  test("a run that waits for a retry reserves no money", async () => {
    const price: RuntimeOptions["price"] = (_, { output }) => (output >= 4_096 ? 6_000 : 10);
    const shared = { price, stores: memoryStores(), policy: limited("month-cost", 10_000) };
    const other = testAgent(scriptedModel([done]), [], shared).runtime;
    const reasons: string[] = [];
    const clock = {
      ...manualClock(),
      async sleep() {
        reasons.push((await other.run("ses_other", "Go.").result).reason);
      },
    };
    reasons.push(
      (await testAgent(scriptedModel([refusedOnce, done]), [], { ...shared, clock }).runtime.run(session, "Go.").result)
        .reason,
    );
    expect(reasons).toEqual(["answered", "answered"]);
  });

  test("an attempt is settled and counted even if the next one cannot be reserved", async () => {
    const stores = memoryStores();
    let reservationCount = 0;
    const failing = withReserve(stores, async (row, limits) => {
      reservationCount += 1;
      if (reservationCount === 2) throw new Error("disk I/O error");
      return stores.costs.reserve(row, limits);
    });
    const agent = testAgent(scriptedModel([], { afterLast: breaksOff }), [], { stores: failing, price: price100 });
    const result = await agent.check(agent.runtime.run(session, "Go."));
    expect(result).toMatchObject({ reason: "internal_error", costNanoUsd: 100 });
    expect((await stores.costs.rows(session)).map(({ state, costNanoUsd }) => [state, costNanoUsd])).toEqual([
      ["settled", 100],
    ]);
  });

  test("an invalid price of the actual usage leaves no reservation behind", async () => {
    const price: RuntimeOptions["price"] = (_, { output }) => (output > 1_000 ? 10 : 1.5);
    const agent = testAgent(scriptedModel([done]), [], { price });
    expect(await agent.runtime.run(session, "Go.").result).toMatchObject({ reason: "answered", costNanoUsd: null });
    expect((await agent.runtime.stores.costs.rows(session)).map(({ state }) => state)).toEqual(["settled"]);
  });

  test("a summary is reserved with its size, even before the first request of a run", async () => {
    const stores = memoryStores();
    const page = (name = "") =>
      Array.from({ length: 400 }, (_, line) => `${name} line ${line} of the long report`).join("\n");
    const read = tool("read", "read", async ({ path }) => ok(page(path)));
    const first = scriptedModel([...["a", "b", "c", "d"].map((path) => calls("read", { path })), done]);
    expect((await testAgent(first, [read], { stores, settings: { maxContextTokens: 60_000 } }).run()).reason).toBe(
      "answered",
    );

    const reservedRows: CostRow[] = [];
    const recordingStores = withReserve(stores, async (row, limits) => {
      reservedRows.push(row);
      return stores.costs.reserve(row, limits);
    });
    const model = scriptedModel([], { afterLast: done });
    const settings = { contextStrategy: "summarize", maxContextTokens: 9_000, minTail: 2 } as const;
    await testAgent(model, [read], { stores: recordingStores, settings, price: inTokens }).runtime.run(
      session,
      "And now?",
    ).result;
    const summary = model.requests.findIndex(({ text }) => text.includes("left out of this conversation"));
    expect(summary).toBe(0);
    const settledRow = (await stores.costs.rows(session)).find(({ id }) => id === reservedRows[summary]?.id);
    expect(settledRow?.usage.input).toBeGreaterThan(1_000);
    expect(reservedRows[summary]?.usage.input).toBeGreaterThan((settledRow?.usage.input ?? 0) / 2);
  });
});

describe("59 money that the request of another run holds", () => {
  const held: CostRow = {
    id: "req_other",
    sessionId: "ses_other",
    runId: "run_other",
    model: "m",
    at: 1_700_000_000_000,
    usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: true },
    costNanoUsd: 900,
  };
  const options = { price: () => 500, policy: limited("month-cost", 1_000) };
  const withHeldMoney = async () => {
    const stores = memoryStores();
    expect(await stores.costs.reserve(held, {})).toMatchObject({ ok: true });
    return stores;
  };

  test("delays a run until that request is settled", async () => {
    const stores = await withHeldMoney();
    const clock = manualClock();
    const sleep = async () => {
      const claim = await stores.sessions.claim("ses_other", thisProcess(), held.at);
      if (claim.ok) await stores.sessions.commit(claim.lease, { at: held.at, costs: [{ ...held, costNanoUsd: 10 }] });
    };
    const agent = testAgent(scriptedModel([done]), [], { ...options, stores, clock: { ...clock, sleep } });
    expect(await agent.run()).toMatchObject({ reason: "answered" });
    expect(agent.count("BudgetWait")).toBe(1);
  });

  test("ends a run with the reason of the budget after a bounded time", async () => {
    const agent = testAgent(scriptedModel([done]), [], { ...options, stores: await withHeldMoney() });
    expect(await agent.run("Go.", { requests: 0 })).toMatchObject({ reason: "month_budget" });
    expect(agent.count("BudgetWait")).toBe(8);
  });

  test("does not outlast the run's time limit", async () => {
    const clock = manualClock();
    const sleep = async (ms: number) => clock.advance(ms);
    const agent = testAgent(scriptedModel([done]), [], {
      ...options,
      stores: await withHeldMoney(),
      clock: { ...clock, sleep },
      settings: { maxDurationSecs: 5 },
    });
    expect(await agent.run("Go.", { requests: 0 })).toMatchObject({ reason: "timeout" });
  });

  test("is no longer waited for when the run is cancelled", async () => {
    const clock = { ...manualClock(), sleep: () => new Promise<void>(() => {}) };
    const agent = testAgent(scriptedModel([done]), [], { ...options, stores: await withHeldMoney(), clock });
    const run = agent.runtime.run(session, "Go.");
    agent.runtime.bus.subscribe((event) => (event.type === "BudgetWait" ? run.cancel() : undefined));
    expect(await run.result).toMatchObject({ reason: "cancelled" });
  });
});

describe("one budget for a run and its subagents", () => {
  /** A model whose subagents never stop reading. */
  const subagentFixture = (children = 3) => {
    const tasks = Array.from({ length: children }, (_, child) => ({ task: `task ${child}` }));
    let reads = 0;
    const model = scriptedModel([], {
      afterLast: ({ text }) =>
        text.includes("PARENT") ? calls("spawn", ...tasks) : calls("read", { path: `${reads++}` }),
    });
    return { model, read: tool("read", "read", async ({ path }) => ok(`the text of ${path}`)) };
  };

  test.each([
    ["run-cost", "run_budget"],
    ["session-cost", "session_budget"],
  ] as const)("%s limits all of them together, by what is reserved before it is sent", async (name, reason) => {
    const { model, read } = subagentFixture();
    const agent = testAgent(model, [read], { subagents: true, price: price100, policy: limited(name, 250) });
    const run = agent.runtime.run(session, "PARENT");
    const result = await run.result;
    expect(result.reason).toBe(reason);
    expect(model.requests).toHaveLength(2); // 100 each
  });

  test("run-tokens limits all of them together, by what is reserved before it is sent", async () => {
    const { model, read } = subagentFixture(5);
    const stores = memoryStores();
    const agent = testAgent(model, [read], { subagents: true, stores, policy: limited("run-tokens", 6_000) });
    expect(await agent.runtime.run(session, "PARENT").result).toMatchObject({ reason: "token_budget" });
    expect(agent.events.some((event) => event.type === "BudgetWait" && event.limit === "run-tokens")).toBe(true);
    const tokens = (await stores.costs.rows(session)).map(({ usage }) => usage.input + usage.output);
    expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(6_000);
  });

  test("the costs of subagents at every depth are recorded for the session of the first run", async () => {
    const model = scriptedModel([], {
      afterLast({ text }) {
        if (text.includes("DEEPER done") || text.includes("the deepest is done")) return { text: "DEEPER done" };
        if (text.includes("PARENT")) return calls("spawn", { task: "DEEPER" });
        return text.includes("DEEPER") ? calls("spawn", { task: "the deepest" }) : { text: "the deepest is done" };
      },
    });
    const agent = testAgent(model, [], { subagents: true, price: price100 });
    const result = await agent.runtime.run(session, "PARENT").result;
    expect(result).toMatchObject({ reason: "answered", costNanoUsd: 200 });
    expect(model.requests).toHaveLength(5);
    expect(
      (await agent.runtime.stores.costs.sums("session")).map(({ key, costNanoUsd }) => [key, costNanoUsd]),
    ).toEqual([[session, 500]]);
    const rows = await agent.runtime.stores.costs.rows(session);
    expect([rows.map(({ state }) => state), new Set(rows.map(({ runId }) => runId)).size]).toEqual([
      Array(5).fill("settled"),
      3,
    ]);
  });

  test("run-cost includes the spending of a subagent whose process crashed", async () => {
    const stores = memoryStores();
    const first = crashingStores(stores);
    const more = { subagents: true, price: price100, policy: limited("run-cost", 450) };
    await new Promise<void>((resolve) => {
      const { model, read } = subagentFixture(1);
      const last = 4; // one request of the parent, three of its subagent
      const holds = tool("read", "mutate", async (input, context) => {
        if (model.requests.length === last) resolve();
        return model.requests.length === last ? never() : read.run(input, context);
      });
      testAgent(model, [holds], { ...more, stores: first.stores }).runtime.run(session, "PARENT");
    });
    await first.crash();
    expect((await stores.costs.rows(session)).map(({ state, costNanoUsd }) => `${state} ${costNanoUsd}`)).toEqual(
      Array(4).fill("settled 100"),
    );

    let reads = 0;
    const model = scriptedModel([], { afterLast: () => calls("read", { path: `after-${reads++}` }) });
    const result = await (await testAgent(model, [subagentFixture().read], { ...more, stores }).runtime.resume(session))
      .result;
    expect(result.reason).toBe("run_budget");
    expect(model.requests).toHaveLength(0); // its cost of 100 exceeds the limit: 400 were spent before the crash
  });
});

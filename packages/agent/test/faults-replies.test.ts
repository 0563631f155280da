import { ok } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { memoryStores } from "../src/stores/memory-stores.ts";
import {
  calls,
  done,
  faultyTurn,
  faultyTurnsNamed,
  longText,
  reader,
  runTurn,
  storedMessages,
  tool,
} from "./fault-fixture.ts";
import { pairingProblems } from "./run-checks.ts";
import { session, testAgent } from "./test-agent.ts";

describe("37 arguments", () => {
  test.each(faultyTurnsNamed("arguments "))("%s", async (name, { turn }) => {
    const { tool: read, paths } = reader();
    const agent = await runTurn(turn, [read]);
    expect(agent.result.reason).toBe("answered");
    const statuses = (await agent.results()).map(({ status }) => status);
    const isFine = name.includes('"path":"b"');
    // Ten thousand brackets are a chant: the reply is interrupted.
    const refused = name.includes("levels deep") ? "interrupted" : "invalid-arguments";
    expect([statuses, paths]).toEqual(isFine ? [["ok"], ["b"]] : [[refused], []]);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test("a number that JSON cannot represent is refused, whatever the schema accepts", async () => {
    const seen: unknown[] = [];
    const any = tool("take", "read", async (input) => {
      seen.push(input);
      return ok("taken");
    });
    const agent = await runTurn(
      { calls: ['{"id":12345678901234567890}', '{"n":1e400}'].map((inputText) => ({ tool: "take", inputText })) },
      [any],
    );
    expect((await agent.results()).map(({ status }) => status)).toEqual(["invalid-arguments", "invalid-arguments"]);
    expect(seen).toEqual([]);
  });

  test("arguments of megabytes are not run", async () => {
    const { tool: read, paths } = reader();
    const turn: ScriptedTurn = {
      calls: [{ tool: "read", input: { path: "sheep ".repeat(400_000) } }],
      deltaChars: 65_536,
    };
    expect((await runTurn(turn, [read])).result.reason).toBe("answered");
    expect(paths).toEqual([]);
  });

  test("a key named __proto__ reaches a tool as an ordinary key", async () => {
    let prototype: unknown;
    const take = tool("take", "read", async (input) => {
      prototype = Object.getPrototypeOf(input);
      return ok("taken");
    });
    await runTurn({ calls: [{ tool: "take", inputText: '{"__proto__":{"isAdmin":true}}' }] }, [take]);
    expect([Object.prototype, null]).toContain(prototype);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe("38 tools that do not exist", () => {
  test.each(["no_such_tool", "Read", " read ", "re\u0430d", "read\u200b", "toString", "__proto__", ""])(
    "%j is answered, not run",
    async (name) => {
      const { tool: read, paths } = reader();
      const agent = await runTurn(calls(name, { path: "a.txt" }), [read]);
      expect(agent.result.reason).toBe("answered");
      expect(paths).toEqual([]);
      const [result] = await agent.results();
      expect(result).toMatchObject({ status: "unknown-tool", content: expect.stringContaining("read") });
    },
  );

  test("a tool that was removed between two runs is reported as unknown, and its old calls stay", async () => {
    const stores = memoryStores();
    const { tool: read } = reader();
    await testAgent(scriptedModel([calls("read", { path: "a" }), done]), [read], { stores }).run();
    const model = scriptedModel([calls("read", { path: "b" }), done]);
    const later = testAgent(model, [], { stores });
    const run = later.runtime.run("ses_2", "Go.");
    await later.check(run);
    const same = later.runtime.run(session, "Again.");
    expect(["answered", "provider_error"]).toContain((await same.result).reason);
    expect(pairingProblems(await storedMessages(later))).toEqual([]);
    expect(JSON.stringify(await later.runtime.stores.sessions.load("ses_2"))).toContain("unknown-tool");
  });
});

describe("39 ids of calls", () => {
  test.each(faultyTurnsNamed("with one id", "without an id", "10,000 characters"))(
    "%s: each call runs once",
    async (name, { turn }) => {
      const { tool: read, paths } = reader();
      const agent = await runTurn(turn, [read]);
      expect(agent.result.reason).toBe("answered");
      expect(paths).toEqual(name.includes("one id") ? ["a.txt", "b.txt"] : ["a.txt"]);
    },
  );

  test("an id used in an earlier turn or run is a new call", async () => {
    const { tool: read, paths } = reader();
    const one = (path: string): ScriptedTurn => ({ calls: [{ tool: "read", input: { path }, id: "call_1" }] });
    const agent = testAgent(scriptedModel([one("a"), one("b"), done, one("c"), done]), [read]);
    await agent.run();
    await agent.run("More.");
    expect(paths).toEqual(["a", "b", "c"]);
    expect(
      new Set((await storedMessages(agent)).flatMap((message) => (message.role === "tool" ? [message.callId] : [])))
        .size,
    ).toBe(3);
  });
});

test("40 five hundred calls at once: a few in parallel, each once, each with its result", async () => {
  let running = 0;
  let maxRunning = 0;
  const asked: string[] = [];
  const read = tool("read", "read", async ({ path = "" }) => {
    asked.push(path);
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return ok(`the text of ${path}`);
  });
  const turn = faultyTurn("500 calls");
  const agent = await runTurn(turn, [read]);
  expect(agent.result.reason).toBe("answered");
  expect([new Set(asked).size, asked.length, (await agent.results()).length]).toEqual([500, 500, 500]);
  expect(maxRunning).toBeLessThanOrEqual(16);
  expect(maxRunning).toBeGreaterThan(1);
});

describe("41 empty replies", () => {
  test.each(
    faultyTurnsNamed("nothing", "an empty text", "only blanks", "only thinking").filter(
      ([name]) => !name.includes("pings") && !name.includes("arguments"),
    ),
  )("%s: nudged twice, then the run ends with its reason", async (_, { turn }) => {
    const model = scriptedModel([], { afterLast: turn });
    const agent = testAgent(model);
    const result = await agent.run();
    expect(["provider_error", "monologue"]).toContain(result.reason);
    expect(model.requests).toHaveLength(3);
  });

  test("a refusal ends the run as refused", async () => {
    const agent = testAgent(scriptedModel([{ text: "I cannot help with that.\nIt would do harm.", stop: "refused" }]));
    expect(await agent.run()).toMatchObject({ reason: "refused", exitCode: 7 });
  });

  test.each(faultyTurnsNamed("an unknown finish reason", "no finish reason"))(
    "%s: the text is the answer",
    async (_, { turn }) => {
      const { result, model } = await runTurn(turn);
      expect(result.reason).toBe("answered");
      expect(model.requests.length).toBeLessThanOrEqual(2);
    },
  );
});

describe("42 a finish that contradicts the content", () => {
  test("calls run though the finish reports none", async () => {
    const { tool: read, paths } = reader();
    const turn = faultyTurn("a finish that tells of none");
    expect((await runTurn(turn, [read])).result).toMatchObject({ reason: "answered", text: "Done." });
    expect(paths).toEqual(["a.txt"]);
  });

  test("a finish that reports calls, without any, is an answer", async () => {
    const turn = faultyTurn("a finish that tells of some");
    const { result, model } = await runTurn(turn);
    expect([result.reason, model.requests.length]).toEqual(["answered", 1]);
  });
});

describe("43 usage", () => {
  const strange = [
    ...faultyTurnsNamed("usage"),
    [
      "usage that is not a number",
      { name: "", turn: { text: longText, usage: { input: Number.NaN, output: Number.NaN } } },
    ] as const,
  ];
  test.each(strange)("%s is estimated, and never zero", async (_, { turn }) => {
    const { result, ledger } = await runTurn(turn);
    expect(result.usage).toMatchObject({ isEstimated: true });
    expect(result.usage.input).toBeGreaterThan(0);
    expect(result.usage.output).toBeGreaterThan(0);
    expect(ledger).toHaveLength(1);
  });

  test.each(strange)("%s: a token budget still holds", async (_, { turn }) => {
    let turns = 0;
    const { tool: read } = reader();
    const usage = turn.usage ?? null;
    const model = scriptedModel([], {
      afterLast: () => ({ text: longText, ...calls("read", { path: `${turns++}.txt` }), usage }),
    });
    const agent = testAgent(model, [read], { policy: { ...defaultPolicy, limits: { "run-tokens": { stop: 2_000 } } } });
    expect((await agent.run()).reason).toBe("token_budget");
  });

  test("smaller figures never make the total smaller", async () => {
    const { tool: read } = reader();
    const turn = (path: string, input: number): ScriptedTurn => ({
      ...calls("read", { path }),
      usage: { input, output: 5 },
    });
    const agent = testAgent(
      scriptedModel([turn("a", 900), turn("b", 40), { ...done, usage: { input: 1, output: 1 } }]),
      [read],
    );
    expect((await agent.run()).usage).toMatchObject({ input: 941, output: 11 });
  });
});

describe("44 prices", () => {
  const limits = { "run-cost": { stop: 1_000_000 } };
  test("an unknown price under a cost limit ends the run before anything is spent", async () => {
    const { tool: read } = reader();
    let turns = 0;
    const model = scriptedModel([], { afterLast: () => calls("read", { path: `${turns++}` }) });
    const agent = testAgent(model, [read], { price: () => null, policy: { ...defaultPolicy, limits } });
    expect(await agent.run()).toMatchObject({ reason: "run_budget", exitCode: 4, costNanoUsd: 0 });
    expect(model.requests).toHaveLength(0);
  });

  test("an unknown price without a limit is reported as unknown, a price of zero as zero", async () => {
    expect(await testAgent(scriptedModel([done]), [], { price: () => null }).run()).toMatchObject({
      reason: "answered",
      costNanoUsd: null,
    });
    expect(await testAgent(scriptedModel([done]), [], { price: () => 0 }).run()).toMatchObject({
      reason: "answered",
      costNanoUsd: 0,
    });
  });

  test("a price that changes during the run is recorded as it was", async () => {
    const { tool: read } = reader();
    let price = 0;
    const agent = testAgent(scriptedModel([calls("read", { path: "a" }), calls("read", { path: "b" }), done]), [read], {
      price: () => price,
    });
    agent.runtime.bus.subscribe((event) => {
      if (event.type === "StreamEnd") price += 100;
    });
    expect((await agent.run()).costNanoUsd).toBe(600);
  });

  const prices: readonly (readonly [string, () => number])[] = [
    ["no number", () => Number.NaN],
    ["negative", () => -5],
    ["a fraction", () => 0.5],
    ["an error", () => Number("x".repeat(-1))],
  ];
  test.each(prices)("a price that is %s makes the cost unknown, and is reported once", async (_, price) => {
    const agent = testAgent(scriptedModel([done]), [], { price });
    const run = agent.runtime.run(session, "Go.");
    const result = await run.result;
    expect(result).toMatchObject({ reason: "answered", costNanoUsd: null });
    expect(agent.events.filter(({ type }) => type === "ProviderWarning")).toHaveLength(1);
  });
});

test("45 the usage until an abort is recorded", async () => {
  const agent = testAgent(scriptedModel([{ text: longText, fault: { type: "silence", after: 3 } }]));
  const run = agent.runtime.run(session, "Go.");
  agent.runtime.bus.subscribe((event) => (event.type === "TextDelta" ? run.cancel() : undefined));
  expect(await agent.check(run)).toMatchObject({ reason: "cancelled", usage: { isEstimated: true } });
  expect(agent.ledger).toHaveLength(1);
  expect(agent.ledger[0]?.usage.output).toBeGreaterThan(0);
});

describe("46 endless replies", () => {
  test.each(faultyTurnsNamed("endless"))("%s: interrupted, and ended if it continues", async (_, { turn }) => {
    const agent = testAgent(scriptedModel([], { afterLast: turn }));
    expect((await agent.run()).reason).toBe("chant");
  });

  test("endless thinking without repetition is cut off, and the run ends", async () => {
    let seed = 7;
    const word = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed.toString(36);
    };
    const model = scriptedModel([], {
      afterLast: () => ({ thinking: Array.from({ length: 40_000 }, word).join(" "), deltaChars: 400 }),
    });
    const agent = testAgent(model, [], { settings: { maxOutputTokens: 1_000 } });
    expect((await agent.run()).exitCode).toBeGreaterThan(0);
    expect(model.requests.length).toBeLessThanOrEqual(5);
  });
});

// Tested elsewhere, or not at all:
// 37 truncated by the length limit: reasons.test.ts. All of it in every format: provider/over-the-wire.test.ts.
// 42 "log mismatch": no event exists for it yet.
// 43 in every format: provider/over-the-wire.test.ts.
// 44 discounts for cached tokens belong to the price function.

import { failed, ok, type Tool } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy, type ToolKind } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testRuntime } from "./test-runtime.ts";

const readFileTool: Tool = tool("read_file", "read", async ({ path }) => ok(`the text of ${path}`));
const failingTool: Tool = tool("bash", "unknown", async () => failed("Error: Cannot find module './sum.js'"));
const send: Tool = tool("send_email", "send", async () => ok("sent"));

function tool(name: string, kind: ToolKind, act: (input: { path: string }) => ReturnType<Tool["run"]>): Tool {
  const run: Tool["run"] = (input) => act(input as { path: string }); // as the scripts below write it
  return { name, kind, description: name, input: z.looseObject({}), run };
}

const call = (name: string, path = "a.ts") => ({ calls: [{ tool: name, input: { path } }] });
const endless = { afterLast: call("bash", "npm test") };

describe("a run ends", () => {
  test("answered, with the text, the tokens and one terminal event", async () => {
    const model = scriptedModel([call("read_file"), { text: "It says hello." }]);
    const run = testRuntime(model, [readFileTool]).runtime.run("ses_1", "What does a.ts say?");
    const result = await run.result;
    expect(result).toMatchObject({
      reason: "answered",
      state: "completed",
      exitCode: 0,
      text: "It says hello.",
      turns: 2,
    });
    const types: string[] = [];
    for await (const event of run) types.push(event.type);
    expect(types.filter((type) => type === "RunComplete" || type === "RunError")).toEqual(["RunComplete"]);
    expect(types.filter((type) => type === "StreamEnd")).toHaveLength(2);
  });

  test("doom_loop or tool_failures, after notices and refusals", async () => {
    const model = scriptedModel([], endless);
    const { runtime } = testRuntime(model, [failingTool], { settings: { maxTurns: 60 } });
    const result = await runtime.run("ses_1", "Make the tests pass.").result;
    expect(result).toMatchObject({ state: "error", exitCode: 5 });
    expect(["doom_loop", "tool_failures"]).toContain(result.reason);
    expect(result.interventions.map(({ level }) => level)).toContain("hint");
    expect(model.requests.at(-1)?.text).toContain("sheepdog-notice");
    expect(result.text).toContain("tool calls were made");
  });

  test("side_effects", async () => {
    const model = scriptedModel([], { afterLast: call("send_email") });
    const { runtime } = testRuntime(model, [send], { settings: { maxTurns: 60 } });
    expect((await runtime.run("ses_1", "Write to Ann.").result).reason).toBe("side_effects");
  });

  test("no_progress", async () => {
    let asked = 0;
    const search = tool("search", "read", async () =>
      ok(
        "Nothing was found in the whole catalogue, which has 4,112 entries in nine chapters; " +
          "try other words or another chapter.",
      ),
    );
    const model = scriptedModel([], {
      afterLast: () => ({ calls: [{ tool: "search", input: { query: `word${asked++} thing${asked * 7}` } }] }),
      opinion: { text: '{"verdict":"stuck"}' },
    });
    const { runtime } = testRuntime(model, [search], { settings: { maxTurns: 60 } });
    expect(["no_progress", "doom_loop"]).toContain((await runtime.run("ses_1", "Find it.").result).reason);
  });

  test("max_turns", async () => {
    let i = 0;
    const model = scriptedModel([], { afterLast: () => call("read_file", `${i++}.ts`) });
    const { runtime } = testRuntime(model, [readFileTool], { settings: { maxTurns: 4 } });
    expect(await runtime.run("ses_1", "Read everything.").result).toMatchObject({
      reason: "max_turns",
      state: "max_steps",
      exitCode: 6,
      turns: 4,
    });
  });

  test("timeout", async () => {
    let i = 0;
    const slow = scriptedModel([], { afterLast: () => call("read_file", `${i++}.ts`) });
    const slowRead = async ({ path }: { path: string }) => {
      fixture.clock.advance(60_000);
      return ok(`text of ${path}`);
    };
    const fixture = testRuntime(slow, [tool("read_file", "read", slowRead)], {
      settings: { maxDurationSecs: 150 },
    });
    expect(await fixture.runtime.run("ses_1", "Read.").result).toMatchObject({
      reason: "timeout",
      state: "timed_out",
      exitCode: 6,
    });
  });

  test("token_budget and run_budget", async () => {
    let i = 0;
    const model = () =>
      scriptedModel([], {
        afterLast: () => ({ ...call("read_file", `${i++}.ts`), usage: { input: 900, output: 100 } }),
      });
    const tokens = testRuntime(model(), [readFileTool], {
      policy: { ...defaultPolicy, limits: { "run-tokens": { stop: 2_500 } } },
    });
    expect(await tokens.runtime.run("ses_1", "Read.").result).toMatchObject({
      reason: "token_budget",
      state: "budget_exceeded",
      exitCode: 4,
    });
    const price = (_: string, { input, output }: { input: number; output: number }) => (input + output) * 1_000;
    const money = testRuntime(model(), [readFileTool], {
      price,
      policy: { ...defaultPolicy, limits: { "run-cost": { warn: 1_500_000, stop: 3_500_000 } } },
    });
    const result = await money.runtime.run("ses_1", "Read.").result;
    expect(result).toMatchObject({ reason: "run_budget", costNanoUsd: 2_000_000 });
    expect(result.interventions.map(({ detector, level }) => `${detector} ${level}`)).toEqual([
      "run-cost warn",
      "run-cost halt",
    ]);
  });

  test("month_budget before the first request if the month is already spent", async () => {
    const model = scriptedModel([{ text: "Hello." }]);
    const price = () => 2_000_000;
    const { runtime } = testRuntime(model, [], {
      price,
      policy: { ...defaultPolicy, limits: { "month-cost": { stop: 2_000_000 } } },
    });
    await runtime.run("ses_1", "Hello?").result;
    expect(await runtime.run("ses_2", "Hello again?").result).toMatchObject({ reason: "month_budget", turns: 0 });
    expect(model.requests).toHaveLength(1);
  });

  test("context_budget if nothing can be left out", async () => {
    const model = scriptedModel([
      { text: Array.from({ length: 600 }, (_, index) => `sheep${index * 7}`).join(" "), stop: "length" },
      { text: "Yes." },
    ]);
    const { runtime } = testRuntime(model, [], { settings: { maxContextTokens: 400, contextStrategy: "none" } });
    expect(await runtime.run("ses_1", "Say it.").result).toMatchObject({
      reason: "context_budget",
      state: "budget_exceeded",
    });
  });

  test("chant: the stream is cut off and noticed, and a run that continues chanting is ended", async () => {
    const model = scriptedModel([], { afterLast: { text: "I will look at it now. ".repeat(400) } });
    const result = await testRuntime(model).runtime.run("ses_1", "Look.").result;
    expect(result.reason).toBe("chant");
    expect(result.interventions.filter(({ effect }) => effect === "interrupt")).toHaveLength(2);
  });

  test("stall: a silent request is aborted and made once more, then the run is ended", async () => {
    const model = scriptedModel([], { afterLast: { fault: { type: "no-answer" } } });
    const { runtime, clock } = testRuntime(model, [], { settings: { firstByteSecs: 100_000 } });
    const run = runtime.run("ses_1", "Hello?");
    const advancing = setInterval(() => clock.advance(60_000), 1);
    const result = await run.result;
    clearInterval(advancing);
    expect(result.reason).toBe("stall");
    expect(model.requests).toHaveLength(2);
  });

  test("provider_error after a rejected key, without a retry", async () => {
    const model = scriptedModel([], { afterLast: { fault: { type: "status", status: 401 } } });
    const result = await testRuntime(model).runtime.run("ses_1", "Hello?").result;
    expect(result).toMatchObject({ reason: "provider_error", state: "error", exitCode: 7 });
    expect(model.requests).toHaveLength(1);
  });

  test("refused", async () => {
    const result = await testRuntime(
      scriptedModel([{ text: "I cannot help with that.", stop: "refused" }]),
    ).runtime.run("ses_1", "Do harm.").result;
    expect(result).toMatchObject({ reason: "refused", exitCode: 7 });
  });

  test("cancelled, with a result for every call", async () => {
    const model = scriptedModel([call("wait_for_it"), { text: "done" }]);
    const hangs = tool("wait_for_it", "unknown", () => new Promise(() => {}));
    const { runtime } = testRuntime(model, [hangs], { settings: { toolTimeoutSecs: Number.POSITIVE_INFINITY } });
    const run = runtime.run("ses_1", "Wait.");
    setTimeout(() => run.cancel(), 20);
    expect(await run.result).toMatchObject({ reason: "cancelled", state: "cancelled", exitCode: 130 });
    const messages = (await runtime.stores.sessions.load("ses_1")).messages;
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("denials: calls that the gate refuses again and again", async () => {
    const model = scriptedModel([], { afterLast: call("bash", "rm -rf /") });
    const gate = {
      decide: async () => ({ tier: 4, decision: "deny", reason: "it deletes what is not the run's" }) as const,
    };
    const result = await testRuntime(model, [failingTool], { gate, settings: { maxTurns: 60 } }).runtime.run(
      "ses_1",
      "Clean up.",
    ).result;
    expect(["denials", "tool_failures"]).toContain(result.reason);
  });
});

describe("recoveries", () => {
  test("a reply cut off at its length limit is continued twice, and the answer is complete", async () => {
    const model = scriptedModel([
      { text: "One, ", stop: "length" },
      { text: "two, ", stop: "length" },
      { text: "three." },
    ]);
    const { runtime } = testRuntime(model);
    const result = await runtime.run("ses_1", "Count.").result;
    expect(result).toMatchObject({ reason: "answered", text: "One, two, three." });
    const hidden = (await runtime.stores.sessions.load("ses_1")).messages.filter(
      (message) => message.role === "user" && message.reason === "max_tokens_recovery",
    );
    expect(hidden).toHaveLength(2);
  });

  test("a call cut off at the length limit is not run, and the model makes it again", async () => {
    let ran = 0;
    const write = tool("write", "mutate", async () => {
      ran++;
      return ok("written");
    });
    const model = scriptedModel([
      { calls: [{ tool: "write", inputText: '{"path": "a.ts", "content": "half' }], stop: "length" },
      call("write"),
      { text: "Done." },
    ]);
    expect(await testRuntime(model, [write]).runtime.run("ses_1", "Write.").result).toMatchObject({
      reason: "answered",
    });
    expect(ran).toBe(1);
  });

  test("an empty reply is answered with a nudge twice, then the run ends", async () => {
    const model = scriptedModel([], { afterLast: { text: "" } });
    const result = await testRuntime(model).runtime.run("ses_1", "Hello?").result;
    expect([result.reason, model.requests.length]).toEqual(["provider_error", 3]);
  });

  test("an unknown tool and unreadable arguments are reported to the model", async () => {
    const model = scriptedModel([
      {
        calls: [
          { tool: "raed_file", input: {} },
          { tool: "read_file", inputText: "not json" },
        ],
      },
      { text: "Sorry." },
    ]);
    const { runtime } = testRuntime(model, [readFileTool]);
    expect((await runtime.run("ses_1", "Read.").result).reason).toBe("answered");
    const results = (await runtime.stores.sessions.load("ses_1")).messages.flatMap((message) =>
      message.role === "tool" ? [message.status] : [],
    );
    expect(results).toEqual(["unknown-tool", "invalid-arguments"]);
    expect(model.requests[1]?.text).toContain("read_file");
  });
});

test("a steering message is sent to the model after the results of the turn", async () => {
  const model = scriptedModel([call("read_file"), { text: "Done." }]);
  const run = testRuntime(model, [readFileTool]).runtime.run("ses_1", "Read a.ts.");
  run.steer("Look at b.ts as well.");
  await run.result;
  expect(model.requests[1]?.text).toContain("Look at b.ts as well.");
});

test("a second run of a session continues its history", async () => {
  const model = scriptedModel([
    ...Array.from({ length: 2 }, () => call("bash", "npm test")),
    { text: "It fails." },
    call("bash", "npm test"),
    { text: "Still." },
  ]);
  const { runtime } = testRuntime(model, [failingTool]);
  await runtime.run("ses_1", "Test it.").result;
  await runtime.run("ses_1", "Again.").result;
  expect(model.requests.at(-1)?.text).toContain("It fails.");
  expect(
    (await runtime.stores.sessions.load("ses_1")).messages.filter(({ role }) => role === "user").length,
  ).toBeGreaterThanOrEqual(2);
});

test("a subagent uses the budget of the run that started it", async () => {
  const model = scriptedModel([
    { calls: [{ tool: "spawn", input: { task: "Read b.ts." } }], usage: { input: 90, output: 10 } },
    { ...call("read_file", "b.ts"), usage: { input: 450, output: 50 } },
    { text: "It says hello.", usage: { input: 450, output: 50 } },
    { text: "The other one says: hello.", usage: { input: 90, output: 10 } },
  ]);
  const { runtime } = testRuntime(model, [readFileTool], { subagents: true });
  const run = runtime.run("ses_1", "What does b.ts say?");
  expect(await run.result).toMatchObject({ reason: "answered", text: "The other one says: hello." });
  const types: string[] = [];
  for await (const event of run) types.push(event.type);
  expect(types).toContain("ChildStarted");
  expect(types).toContain("ChildComplete");

  const spender = scriptedModel([{ calls: [{ tool: "spawn", input: { task: "Read." } }] }], {
    afterLast: () => ({ ...call("read_file", String(Math.random())), usage: { input: 450, output: 50 } }),
  });
  const limited = testRuntime(spender, [readFileTool], {
    subagents: true,
    policy: { ...defaultPolicy, limits: { "run-tokens": { stop: 2_000 } } },
  });
  expect((await limited.runtime.run("ses_1", "Read.").result).reason).toBe("token_budget");
  expect(spender.requests.length).toBeLessThanOrEqual(6);
});

test("before older messages are compacted, the agent saves what matters, and the run continues", async () => {
  const written: string[] = [];
  const memory = tool("memory_write", "think", async (input) => {
    written.push(JSON.stringify(input));
    return ok("remembered");
  });
  const long = tool("read_file", "read", async ({ path }) =>
    ok(`${path}: ${Array.from({ length: 400 }, (_, i) => `word${i}${path}`).join(" ")}`),
  );
  let asked = 0;
  const model = scriptedModel([], {
    afterLast: ({ text }) =>
      text.includes("memory_write with") || text.includes("nearly full")
        ? { calls: [{ tool: "memory_write", input: { path: "the parser is in src/parse.ts" } }] }
        : asked++ < 12
          ? call("read_file", `${asked}.ts`)
          : { text: "Done." },
  });
  const { runtime } = testRuntime(model, [long, memory], {
    settings: { maxContextTokens: 6_000, maxTurns: 40, maxToolOutputTokens: 1_000 },
  });
  const run = runtime.run("ses_1", "Read all of it.");
  const result = await run.result;
  const types: string[] = [];
  for await (const event of run) types.push(event.type);
  expect(result.reason).toBe("answered");
  expect(types.indexOf("MemoryFlushed")).toBeGreaterThan(0);
  expect(types.indexOf("MemoryFlushed")).toBeLessThan(types.indexOf("ContextCompacted"));
  expect(written.length).toBeGreaterThan(0);
  expect(
    (await runtime.stores.sessions.load("ses_1")).messages.some(
      (message) => message.role === "user" && message.reason === "memory_flush",
    ),
  ).toBe(false);
});

test("the warning about a full context leads to a memory flush, also without a compaction", async () => {
  const written: unknown[] = [];
  const memory = tool("memory_write", "think", async (input) => {
    written.push(input);
    return ok("remembered");
  });
  const long = tool("read_file", "read", async ({ path }) =>
    ok(`${path}: ${Array.from({ length: 60 }, (_, i) => `word${i}${path}`).join(" ")}`),
  );
  const model = scriptedModel([], {
    afterLast: ({ index, text }) => {
      if (text.includes("memory_write with") || text.includes("nearly full")) return call("memory_write", "a fact");
      return text.includes("compaction will begin soon") ? { text: "Done." } : call("read_file", `${index}.ts`);
    },
  });
  const { runtime } = testRuntime(model, [long, memory], { settings: { maxContextTokens: 20_000, maxTurns: 80 } });
  const types: string[] = [];
  runtime.bus.subscribe(({ type }) => void types.push(type));
  expect((await runtime.run("ses_1", "Read all of it.").result).reason).toBe("answered");
  const relevant = ["BudgetWarning", "MemoryFlushed", "ContextCompacted"];
  expect(types.filter((type) => relevant.includes(type))).toEqual(["BudgetWarning", "MemoryFlushed"]);
  expect(written).toHaveLength(1);
});

test("by default the model summarizes older messages", async () => {
  const long = tool("read_file", "read", async ({ path }) =>
    ok(`${path}: ${Array.from({ length: 400 }, (_, i) => `word${i}${path}`).join(" ")}`),
  );
  let asked = 0;
  const model = scriptedModel([], {
    afterLast: ({ text }) =>
      text.includes("at most 300 words")
        ? { text: "So far the sheep were counted." }
        : asked++ < 12
          ? call("read_file", `${asked}.ts`)
          : { text: "Done." },
  });
  const settings = {
    maxContextTokens: 6_000,
    maxTurns: 40,
    maxToolOutputTokens: 1_000,
  } as const;
  const { runtime } = testRuntime(model, [long], { settings });
  expect((await runtime.run("ses_1", "Read all of it.").result).reason).toBe("answered");
  expect(model.requests.at(-1)?.text).toContain("So far the sheep were counted.");
  expect(JSON.stringify(await runtime.stores.sessions.load("ses_1"))).not.toContain("at most 300 words");
});

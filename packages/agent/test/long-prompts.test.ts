import { ok } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { builtinTools } from "../src/tools/builtin-tools.ts";
import { calls, done, reader, tool, workspace } from "./fault-fixture.ts";
import { session, testAgent } from "./test-agent.ts";

const strategies = ["summarize", "sliding_window", "compact", "none"] as const;
const sentence = "The sheep of meadow 7 went over the hill, and the dog went after them. ";

/** A text with this many characters. */
const textOf = (length: number) => sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length);

test.each(strategies)("%s: a prompt of 5 MB ends the run before the first request, with the numbers", async (name) => {
  const model = scriptedModel([done]);
  const agent = testAgent(model, builtinTools({ workspace }), { settings: { contextStrategy: name } });
  const result = await agent.run(textOf(5_000_000));
  expect(result).toMatchObject({ reason: "prompt_too_long", state: "error", exitCode: 2, turns: 0, costNanoUsd: 0 });
  expect(result.problem).toMatch(
    /^The prompt has about [\d,]{9} tokens, and the context of 128,000 \(max_context_tokens\) has room for [\d,]+;/,
  );
  expect(result.problem).toMatch(/nothing was sent\. Set max_context_tokens to [\d,]{9} or more/);
  expect(model.requests).toHaveLength(0);
});

test("360 kB fit into the default context and are sent as they are", async () => {
  const model = scriptedModel([done]);
  const prompt = textOf(360_000);
  expect((await testAgent(model).run(prompt)).reason).toBe("answered");
  expect(model.requests[0]?.text).toContain(prompt);
});

test.each(strategies)("%s: 360 kB do not fit into 32,000 tokens, and are not cut", async (contextStrategy) => {
  const model = scriptedModel([done]);
  const agent = testAgent(model, [], { settings: { contextStrategy, maxContextTokens: 32_000 } });
  const { reason, problem } = await agent.run(textOf(360_000));
  expect(reason).toBe("prompt_too_long");
  expect(problem).toContain("32,000 (max_context_tokens)");
  expect(model.requests).toHaveLength(0);
});

test("a model with a known window is not asked to read more than that", async () => {
  const model = { ...scriptedModel([done]), modelId: "claude-sonnet-4-5" };
  expect((await testAgent(model).run(textOf(5_000_000))).problem).toContain(
    "The model reads at most 200,000 tokens. Save the text in a file",
  );
});

test.each(strategies)("%s: a steering message is never cut either", async (contextStrategy) => {
  const model = scriptedModel([calls("look", {}), calls("look", {}), done]);
  const look = tool("look", "read", async () => {
    if (model.requests.length === 1) run.steer(textOf(360_000));
    return ok("a meadow");
  });
  const agent = testAgent(model, [look], { settings: { contextStrategy, maxContextTokens: 32_000 } });
  const run = agent.runtime.run(session, "Look around.");
  expect(await agent.check(run)).toMatchObject({ reason: "prompt_too_long", turns: 1 });
  expect(model.requests).toHaveLength(1);
});

test("the prompt and the steering message of a long run stay whole while results give way", async () => {
  const prompt = `PROMPT ${textOf(8_000)}`;
  const steering = `STEERING ${textOf(8_000)}`;
  const { tool: read } = reader();
  const big = { ...read, run: async () => ok(textOf(9_000)) };
  const model = scriptedModel([], {
    afterLast: ({ index }) => (index < 20 ? calls("read", { path: `${index}.txt` }) : done),
  });
  const agent = testAgent(model, [big], { settings: { contextStrategy: "sliding_window", maxContextTokens: 12_000 } });
  const run = agent.runtime.run(session, prompt);
  run.steer(steering);
  expect((await agent.check(run)).reason).toBe("answered");
  expect(agent.count("ContextCompacted")).toBeGreaterThan(0);
  for (const { text } of model.requests.slice(1))
    expect([text.includes(prompt), text.includes(steering)]).toEqual([true, true]);
});

test("after a prompt that was too long, the session continues with a shorter one", async () => {
  const model = scriptedModel([done]);
  const agent = testAgent(model, [], { settings: { contextStrategy: "compact", maxContextTokens: 32_000 } });
  expect((await agent.run(textOf(360_000))).reason).toBe("prompt_too_long");
  expect((await agent.run("Just say hello.")).reason).toBe("answered");
});

import { createHash } from "node:crypto";
import { type Approval, type AskAboutRun, failed, type Gate, ok, type RunQuestion } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { expect, test } from "vitest";
import { memoryStores } from "../src/stores/memory-stores.ts";
import { builtinTools } from "../src/tools/builtin-tools.ts";
import { crashingStores, never } from "./crashing-stores.ts";
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
  expect(result.problem).toMatch(/the request was not sent\. Resume with max_context_tokens set to [\d,]{9} or more/);
  expect(result.text).not.toContain("To continue, resume the session"); // not without a larger context
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

test.each(strategies)(
  "%s: a steering message that cannot fit is refused, with the numbers",
  async (contextStrategy) => {
    const model = scriptedModel([calls("look", {}), calls("look", {}), done]);
    const refusals: unknown[] = [];
    const look = tool("look", "read", async () => {
      if (model.requests.length === 1)
        refusals.push(
          await run.steer(textOf(360_000)),
          await run.steeringProblem(textOf(360_000)),
          await run.steer("Look up."),
        );
      return ok("a meadow");
    });
    const agent = testAgent(model, [look], { settings: { contextStrategy, maxContextTokens: 32_000 } });
    const run = agent.runtime.run(session, "Look around.");
    expect((await agent.check(run)).reason).toBe("answered");
    expect(refusals).toEqual([false, expect.stringMatching(numbers), true]);
    expect(model.requests[1]?.text).toContain("Look up.");
  },
);

const numbers = new RegExp(
  "^The message has about [89]\\d,\\d{3} tokens, and the context of 32,000 \\(max_context_tokens\\) has room for " +
    "2\\d,\\d{3} more; it was not sent\\.",
);

/** Characters as in base64, about three times as many tokens as estimated. */
const base64Of = (length: number) =>
  Array.from({ length: Math.ceil(length / 64) }, (_, index) => createHash("sha512").update(`${index}`).digest("base64"))
    .join("")
    .replaceAll("=", "")
    .slice(0, length);
const russian = "Пастушья собака привела стадо овец домой с холма. Сегодня хорошая погода. ";

test.each([
  ["accepted: Russian has fewer tokens than estimated", russian.repeat(900), true],
  ["accepted: lines of dashes have far fewer", `${"-".repeat(118)}\n`.repeat(2_000), true],
  ["refused: base64 has more", base64Of(70_000), false],
])("a long steering message is counted exactly, and %s", async (_, text, isAccepted) => {
  const settings = { maxContextTokens: 32_000 };
  const asPrompt = await testAgent(scriptedModel([done]), [], { settings }).run(text);
  expect(asPrompt.reason).toBe(isAccepted ? "answered" : "prompt_too_long");
  const model = scriptedModel([calls("look", {}), done]);
  const answers: unknown[] = [];
  const look = tool("look", "read", async () => {
    answers.push((await run.steeringProblem(text)) === undefined, await run.steer(text));
    return ok("a meadow");
  });
  const agent = testAgent(model, [look], { settings });
  const run = agent.runtime.run(session, "Look around.");
  expect((await agent.check(run)).reason).toBe("answered");
  expect(answers).toEqual([isAccepted, isAccepted]);
  expect(model.requests[1]?.text.includes(JSON.stringify(text).slice(1, -1))).toBe(isAccepted);
});

test("a long steering message without a question first is counted as well", async () => {
  const model = scriptedModel([calls("look", {}), done]);
  const accepted: boolean[] = [];
  const look = tool("look", "read", async () => {
    accepted.push(...(await Promise.all([run.steer(base64Of(70_000)), run.steer("Look up.")])));
    return ok("a meadow");
  });
  const agent = testAgent(model, [look], { settings: { maxContextTokens: 32_000 } });
  const run = agent.runtime.run(session, "Look around.");
  expect((await agent.check(run)).reason).toBe("answered");
  expect(accepted).toEqual([false, true]);
});

test("two steering messages of which each fits alone are measured together", async () => {
  const model = scriptedModel([calls("look", {}), done]);
  const accepted: boolean[] = [];
  const look = tool("look", "read", async () => {
    accepted.push(...(await Promise.all([run.steer(textOf(60_000)), run.steer(textOf(60_000))])));
    return ok("a meadow");
  });
  const agent = testAgent(model, [look], { settings: { maxContextTokens: 32_000 } });
  const run = agent.runtime.run(session, "Look around.");
  expect((await agent.check(run)).reason).toBe("answered");
  expect(accepted).toEqual([true, false]);
});

test("a message that is too long as an answer to a question is refused, and the question is asked again", async () => {
  const questions: RunQuestion[] = [];
  const agent = testAgent(
    scriptedModel([calls("look", {}), done]),
    [tool("look", "read", async () => ok("a meadow"))],
    {
      attended: true,
      settings: { maxTurns: 1, maxContextTokens: 32_000 },
      async askAboutRun(question) {
        questions.push(question);
        return { type: "tell", text: questions.length === 1 ? textOf(360_000) : "Look up." };
      },
    },
  );
  expect((await agent.run("Look around.")).reason).toBe("answered");
  expect(questions.map(({ problem }) => problem)).toEqual([undefined, expect.stringMatching(numbers)]);
  expect(questions[1]?.text).toMatch(numbers);
});

test("the same applies to a question that is asked again after a crash", async () => {
  const stores = memoryStores();
  const settings = { maxContextTokens: 32_000 };
  const failing = tool("query", "mutate", async () => failed("Error: no such table: sheep"));
  const process = crashingStores(stores);
  await new Promise<void>((resolve) => {
    const askAboutRun: AskAboutRun = () => {
      resolve();
      return never();
    };
    const loop = scriptedModel([], { afterLast: calls("query", { sql: "select * from sheep" }) });
    testAgent(loop, [failing], { stores: process.stores, settings, askAboutRun }).runtime.run(session, "Go.");
  });
  await process.crash();

  const problems: unknown[] = [];
  const model = scriptedModel([done]);
  const agent = testAgent(model, [failing], {
    stores,
    settings,
    async askAboutRun({ problem }) {
      problems.push(problem);
      return { type: "tell", text: problems.length === 1 ? base64Of(70_000) : "Look at the other table." };
    },
  });
  expect((await (await agent.runtime.resume(session)).result).reason).toBe("answered");
  expect(problems).toEqual([undefined, expect.stringMatching(/^The message has about \d\d,\d{3} tokens/)]);
  expect(model.requests[0]?.text).toContain("Look at the other table.");
});

test("a steering message is measured together with a prompt that waits for an interrupted turn", async () => {
  const stores = memoryStores();
  const settings = { maxContextTokens: 32_000 };
  const look = tool("look", "mutate", async () => ok("a meadow"));
  const process = crashingStores(stores);
  const gate: Gate = { decide: async () => ({ tier: 3, decision: "ask", reason: "a test" }) };
  const options = { settings, gate, attended: true };
  await new Promise<void>((resolve) => {
    const approve = () => {
      resolve();
      return never<Approval>();
    };
    const agent = testAgent(scriptedModel([calls("look", {})]), [look], {
      ...options,
      stores: process.stores,
      approve,
    });
    agent.runtime.run(session, "Go.");
  });
  await process.crash();

  const accepted: boolean[] = [];
  const agent = testAgent(scriptedModel([done]), [look], {
    ...options,
    stores,
    async approve() {
      accepted.push(await run.steer(textOf(60_000)), await run.steer("Look up."));
      return { isAllowed: true };
    },
  });
  const run = agent.runtime.run(session, textOf(60_000));
  expect((await run.result).reason).toBe("answered");
  expect(accepted).toEqual([false, true]);
});

test("a program that always gives the same long answer is not asked for ever", async () => {
  let asked = 0;
  const agent = testAgent(
    scriptedModel([calls("look", {}), done]),
    [tool("look", "read", async () => ok("a meadow"))],
    {
      attended: true,
      settings: { maxTurns: 1, maxContextTokens: 32_000 },
      async askAboutRun() {
        asked += 1;
        return { type: "tell", text: textOf(360_000) };
      },
    },
  );
  expect((await agent.run("Look around.")).reason).toBe("max_turns");
  expect(asked).toBe(5);
});

test("messages that arrive before the size of the context is known end the run if they do not fit", async () => {
  const agent = testAgent(scriptedModel([done]), [], { settings: { maxContextTokens: 32_000 } });
  const run = agent.runtime.run(session, "Look around.");
  expect(await run.steer(textOf(360_000))).toBe(true);
  const { reason, problem, neededContextTokens } = await agent.check(run);
  expect([reason, neededContextTokens]).toEqual(["prompt_too_long", expect.any(Number)]);
  expect(problem).toMatch(/^The prompt and the messages after it have about .*; the request was not sent\./);
});

test.each(strategies)(
  "%s: in the context that is named, the resumed run sends its request",
  async (contextStrategy) => {
    const model = scriptedModel([done]);
    const stores = memoryStores();
    const settings = { contextStrategy, maxContextTokens: 32_000 };
    const { neededContextTokens = 0 } = await testAgent(model, [], { stores, settings }).run(textOf(360_000));
    const larger = testAgent(model, [], {
      stores,
      settings: { ...settings, maxContextTokens: neededContextTokens },
      system: `A system text that is longer than before. ${textOf(2_000)}`,
    });
    expect((await (await larger.runtime.resume(session)).result).reason).toBe("answered");
    expect(model.requests[0]?.text).toContain(textOf(360_000));
  },
);

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

test("a server that reports 1 token for every request does not hide that the context is full", async () => {
  const { tool: read } = reader();
  const big = { ...read, run: async () => ok(textOf(9_000)) };
  const usage = { input: 1, output: 1 };
  const model = scriptedModel([], {
    afterLast: ({ index }) => ({ ...(index < 12 ? calls("read", { path: `${index}.txt` }) : done), usage }),
  });
  const agent = testAgent(model, [big], { settings: { contextStrategy: "sliding_window", maxContextTokens: 12_000 } });
  expect((await agent.run("Read everything.")).reason).toBe("answered");
  expect(agent.count("ContextCompacted")).toBeGreaterThan(0);
  expect(Math.max(...model.requests.map(({ text }) => text.length))).toBeLessThan(12_000 * 4);
});

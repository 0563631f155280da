import { Command, MemorySaver } from "@langchain/langgraph";
import { createLangChainGuard } from "@sheepdog/integrations/langchain";
import {
  createAgent,
  humanInTheLoopMiddleware,
  providerStrategy,
  summarizationMiddleware,
  tool,
  toolStrategy,
} from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { failingCall, loop, noticesIn, polling, type Reply, scriptedModel } from "./scripted-model.ts";
import { failingBash, progressingBuild } from "./tools.ts";

const prompt = { messages: [{ role: "user", content: "Run the tests." }] };
const now = () => 1_000;

test("a call that fails again and again is hinted at, refused, and then ends the run", async () => {
  const { bash, runs } = failingBash();
  const model = scriptedModel(loop(20));
  const agent = createAgent({ model, tools: [bash], middleware: [createLangChainGuard({ now })] });
  const { messages, sheepdog } = await agent.invoke(prompt, { recursionLimit: 100 });
  const notices = noticesIn(model);
  expect(notices.slice(0, 3)).toEqual([[], [], []]);
  expect(notices[3]).toEqual([expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash"/)]);
  expect(notices.at(-1)?.[0]).toBe(notices[3]?.[0]); // it stays where it was said
  expect(model.calls[3]?.messages.at(-1)?.text).toBe(notices[3]?.[0]);
  expect(runs()).toBe(5);
  const refused = messages.filter(({ type, text }) => type === "tool" && text.startsWith("Refused"));
  expect(refused.length).toBeGreaterThan(0);
  expect(sheepdog?.stop?.reason).toBe("tool_failures");
  expect(messages.at(-1)?.text).toBe(sheepdog?.stop?.message);
  expect(model.callCount).toBe(5 + refused.length);
});

test("polling with changing results is left alone", async () => {
  const model = scriptedModel(polling(12));
  const agent = createAgent({ model, tools: [progressingBuild()], middleware: [createLangChainGuard({ now })] });
  const { messages, sheepdog } = await agent.invoke(prompt, { recursionLimit: 100 });
  expect(noticesIn(model).flat()).toEqual([]);
  expect(sheepdog?.stop).toBeUndefined();
  expect(messages.at(-1)?.text).toBe("The build is done.");
});

test("the guard takes no steps of the recursion limit, except one for each run", async () => {
  const stepsOf = async (middleware: [] | [ReturnType<typeof createLangChainGuard>]) => {
    const agent = createAgent({ model: scriptedModel(polling(12)), tools: [progressingBuild()], middleware });
    const updates = [];
    for await (const update of await agent.stream(prompt, { recursionLimit: 100, streamMode: "updates" }))
      updates.push(update);
    return updates.length;
  };
  expect(await stepsOf([createLangChainGuard({ now })])).toBe((await stepsOf([])) + 1);
});

test("observe changes nothing", async () => {
  const run = async (middleware: [] | [ReturnType<typeof createLangChainGuard>]) => {
    const { bash } = failingBash();
    const model = scriptedModel([...loop(12), "I give up."]);
    const agent = createAgent({ model, tools: [bash], middleware });
    const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });
    const prompts = model.calls.map((call) => call.messages.map(({ type, text }) => ({ type, text })));
    return { messages: messages.map(({ type, text }) => ({ type, text })), prompts };
  };
  const seen: string[] = [];
  const observing = createLangChainGuard({
    now,
    mode: "observe",
    onEvent: (event) => event.type === "intervention" && seen.push(event.intervention.level),
  });
  expect(await run([observing])).toEqual(await run([]));
  expect(seen).toContain("block");
});

test("a limit of tokens ends the run", async () => {
  const model = scriptedModel(polling(12));
  const guard = createLangChainGuard({ now, policy: { limits: { "run-tokens": { stop: 350 } } } });
  const agent = createAgent({ model, tools: [progressingBuild()], middleware: [guard] });
  const { sheepdog } = await agent.invoke(prompt, { recursionLimit: 100 });
  expect(sheepdog?.stop?.reason).toBe("token_budget");
  expect(model.callCount).toBe(4);
});

test("one middleware in two agents at once does not mix their runs", async () => {
  const guard = createLangChainGuard({ now });
  const run = async () => {
    const { bash, runs } = failingBash();
    const model = scriptedModel([...loop(3), "I give up."]);
    await createAgent({ model, tools: [bash], middleware: [guard] }).invoke(prompt, { recursionLimit: 100 });
    return { runs: runs(), notices: noticesIn(model).flat().length };
  };
  const alone = { runs: 3, notices: 1 };
  expect(await Promise.all([run(), run()])).toEqual([alone, alone]);
  expect(await run()).toEqual(alone);
});

test("a checkpointer keeps what the guard has learned, also for a new agent of another process", async () => {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "t" }, recursionLimit: 100 };
  const { bash, runs } = failingBash();
  const invoke = async (turns: number, content: string) => {
    const model = scriptedModel([...loop(turns), "I give up."]);
    const agent = createAgent({ model, tools: [bash], checkpointer, middleware: [createLangChainGuard({ now })] });
    const { sheepdog } = await agent.invoke({ messages: [{ role: "user", content }] }, config);
    return { notices: noticesIn(model), sheepdog };
  };
  const first = await invoke(2, "Run the tests.");
  expect(first.notices.flat()).toEqual([]);
  const second = await invoke(3, "Again.");
  expect(second.notices.flat()).not.toEqual([]); // three calls of the second run alone would be hinted at later
  expect(second.notices[0]).toEqual([]);
  expect(second.sheepdog?.run).not.toBe(first.sheepdog?.run);
  expect(runs()).toBe(5);
});

test("a run that was interrupted before its calls continues with them", async () => {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "t" }, recursionLimit: 100 };
  const { bash, runs } = failingBash();
  const model = scriptedModel(loop(20));
  const interrupted = () =>
    createAgent({ model, tools: [bash], checkpointer, middleware: [createLangChainGuard({ now })] });
  await interrupted().graph.invoke(prompt, { ...config, interruptBefore: ["tools"] });
  for (let turn = 0; turn < 3; turn++)
    await interrupted().graph.invoke(null, { ...config, interruptBefore: ["tools"] }); // a new guard each time
  expect(runs()).toBe(3);
  expect(noticesIn(model).at(-1)).toEqual([expect.stringContaining("has failed 3 times")]);
});

test("parallel calls are judged one by one, and each gets a result", async () => {
  const { bash, runs } = failingBash();
  const both = [...failingCall, { name: "build_status", args: { id: 7 } }];
  const model = scriptedModel([...Array.from({ length: 7 }, () => both), "I give up."]);
  const middleware = [createLangChainGuard({ now })];
  const agent = createAgent({ model, tools: [bash, progressingBuild()], middleware });
  const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });
  const results = messages.filter(({ type }) => type === "tool");
  expect(results).toHaveLength(14);
  expect(results.filter(({ text }) => text.startsWith("The build is at"))).toHaveLength(7);
  expect(runs()).toBeLessThan(7);
});

test("the guard survives messages that middleware has replaced with a summary", async () => {
  const { bash } = failingBash();
  const model = scriptedModel(loop(20));
  const summary = scriptedModel(Array.from({ length: 20 }, () => "They ran the tests."));
  const options = { model: summary, trigger: { messages: 5 }, keep: { messages: 3 } };
  // Types of version 3 of zod, which do not fit with exactOptionalPropertyTypes.
  const summarize = summarizationMiddleware(options as never) as unknown as ReturnType<typeof createLangChainGuard>;
  const middleware = [createLangChainGuard({ now }), summarize] as const;
  const { sheepdog } = await createAgent({ model, tools: [bash], middleware }).invoke(prompt, { recursionLimit: 100 });
  expect(sheepdog?.stop?.reason).toBe("tool_failures");
});

test("a state that is none of a guard is ignored", async () => {
  const { bash } = failingBash();
  const model = scriptedModel(loop(20));
  const agent = createAgent({ model, tools: [bash], middleware: [createLangChainGuard({ now })] });
  const broken = { run: "r", placed: 7 } as never;
  const { sheepdog } = await agent.invoke({ ...prompt, sheepdog: broken }, { recursionLimit: 100 });
  expect(sheepdog?.stop?.reason).toBe("tool_failures");
});

test.each([
  ["of a tool", toolStrategy(z.object({ works: z.boolean() })), [[{ name: "extract-1", args: { works: true } }]]],
  ["of the provider", providerStrategy(z.object({ works: z.boolean() })), ['{"works":true}']],
])("a structured answer %s is returned", async (_, responseFormat, answer) => {
  const { bash } = failingBash();
  const run = async (middleware: [] | [ReturnType<typeof createLangChainGuard>]) => {
    const model = scriptedModel([...loop(3), ...(answer as Reply[])]);
    const agent = createAgent({ model, tools: [bash], responseFormat: responseFormat as never, middleware });
    const { structuredResponse } = await agent.invoke(prompt, { recursionLimit: 100 });
    return structuredResponse;
  };
  expect(await run([createLangChainGuard({ now })])).toEqual({ works: true });
});

test("calls that a person has to approve are counted", async () => {
  const { bash, runs } = failingBash();
  const model = scriptedModel(loop(20));
  const approval = humanInTheLoopMiddleware({ interruptOn: { bash: true } } as never); // types of zod 3
  const middleware = [
    createLangChainGuard({ now }),
    approval as unknown as ReturnType<typeof createLangChainGuard>,
  ] as const;
  const agent = createAgent({ model, tools: [bash], middleware, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "t" }, recursionLimit: 100 };
  await agent.invoke(prompt, config);
  const resume = new Command({ resume: { decisions: [{ type: "approve" }] } });
  for (let turn = 0; turn < 3; turn++) await agent.invoke(resume, config);
  expect(runs()).toBe(3);
  expect(noticesIn(model).at(-1)).toEqual([expect.stringContaining("has failed 3 times")]);
});

test("an agent inside a tool is a run of its own", async () => {
  const { bash, runs } = failingBash();
  const guard = createLangChainGuard({ now });
  const innerModel = scriptedModel([...loop(2), "It fails.", ...loop(2), "It fails."]);
  const inner = createAgent({ model: innerModel, tools: [bash], middleware: [guard] });
  const ask = tool(async () => (await inner.invoke(prompt)).messages.at(-1)?.text ?? "", {
    name: "ask",
    description: "Asks the tester.",
    schema: z.object({}),
  });
  const model = scriptedModel([[{ name: "ask", args: {} }], [{ name: "ask", args: {} }], "It fails."]);
  const agent = createAgent({ model, tools: [ask], middleware: [guard], checkpointer: new MemorySaver() });
  const { sheepdog } = await agent.invoke(prompt, { configurable: { thread_id: "t" } });
  expect(runs()).toBe(4);
  expect(noticesIn(innerModel).flat()).toEqual([]);
  expect(sheepdog?.guard?.tokens).toBe(300);
});

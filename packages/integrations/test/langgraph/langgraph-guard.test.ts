import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import {
  type GraphGuardOptions,
  type GraphGuardState,
  guardToolNode,
  unlessStopped,
} from "@sheepdog/integrations/langgraph";
import { AIMessage, type DynamicStructuredTool, HumanMessage, ToolMessage, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  failingCall,
  loop,
  noticesIn,
  noticesOf,
  polling,
  type ScriptedModel,
  scriptedModel,
} from "../langchain/scripted-model.ts";
import { failingBash, progressingBuild } from "../langchain/tools.ts";

const State = Annotation.Root({ ...MessagesAnnotation.spec, sheepdog: Annotation<GraphGuardState | undefined>() });
const now = () => 1_000;
const prompt = { messages: [{ role: "user", content: "Run the tests." }] };

interface Parts {
  readonly model: ScriptedModel;
  readonly tools: readonly DynamicStructuredTool[];
  readonly options?: GraphGuardOptions;
  readonly checkpointer?: BaseCheckpointSaver;
}

function agentOf({ model, tools, options = {}, checkpointer }: Parts) {
  const bound = model.bindTools([...tools]);
  return new StateGraph(State)
    .addNode("model", async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
    .addNode("tools", guardToolNode(new ToolNode([...tools]), { now, ...options }))
    .addEdge(START, "model")
    .addConditionalEdges("model", toolsCondition)
    .addConditionalEdges("tools", unlessStopped("model"))
    .compile(checkpointer === undefined ? {} : { checkpointer });
}

test("a call that fails again and again is hinted at, refused, and then ends the run", async () => {
  const { bash, runs } = failingBash();
  const model = scriptedModel(loop(20));
  const { messages, sheepdog } = await agentOf({ model, tools: [bash] }).invoke(prompt, { recursionLimit: 100 });
  const notices = noticesIn(model);
  expect(notices.slice(0, 3)).toEqual([[], [], []]);
  expect(notices[3]).toEqual([expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash"/)]);
  expect(model.calls[3]?.messages.at(-1)?.text).toBe(notices[3]?.[0]);
  expect(runs()).toBe(5);
  const refused = messages.filter(({ type, text }) => type === "tool" && text.startsWith("Refused"));
  expect(model.callCount).toBe(5 + refused.length);
  expect(sheepdog?.stop?.reason).toBe("tool_failures");
  expect(messages.at(-1)?.text).toBe(sheepdog?.stop?.message);
});

test("polling with changing results is left alone", async () => {
  const model = scriptedModel(polling(12));
  const { messages } = await agentOf({ model, tools: [progressingBuild()] }).invoke(prompt, { recursionLimit: 100 });
  expect(noticesOf(messages)).toEqual([]);
  expect(messages.at(-1)?.text).toBe("The build is done.");
});

test("observe changes nothing", async () => {
  const { bash, runs } = failingBash();
  const model = scriptedModel([...loop(12), "I give up."]);
  const agent = agentOf({ model, tools: [bash], options: { mode: "observe" } });
  const { messages } = await agent.invoke(prompt, { recursionLimit: 100 });
  expect(runs()).toBe(12);
  expect(messages.map(({ type }) => type)).toEqual([
    "human",
    ...Array.from({ length: 12 }, () => ["ai", "tool"]).flat(),
    "ai",
  ]);
});

test("a limit of tokens ends the run, before the calls of the reply that reached it", async () => {
  const model = scriptedModel(polling(12));
  const options = { policy: { limits: { "run-tokens": { stop: 350 } } } };
  const { messages, sheepdog } = await agentOf({ model, tools: [progressingBuild()], options }).invoke(prompt);
  expect(sheepdog?.stop?.reason).toBe("token_budget");
  expect(model.callCount).toBe(4);
  expect(messages.filter(({ type }) => type === "tool").map(({ text }) => text)).toEqual([
    "The build is at 5 %.",
    "The build is at 10 %.",
    "The build is at 15 %.",
    expect.stringContaining("run"),
  ]);
});

test("one node in two runs at once does not mix them", async () => {
  const { bash, runs } = failingBash();
  const node = guardToolNode(new ToolNode([bash]), { now });
  const run = async () => {
    const model = scriptedModel([...loop(2), "I give up."]);
    const agent = new StateGraph(State)
      .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode("tools", node)
      .addEdge(START, "model")
      .addConditionalEdges("model", toolsCondition)
      .addConditionalEdges("tools", unlessStopped("model"))
      .compile();
    await agent.invoke(prompt);
    return noticesIn(model).flat();
  };
  expect(await Promise.all([run(), run()])).toEqual([[], []]);
  expect(await run()).toEqual([]);
  expect(runs()).toBe(6);
});

test("a saver keeps the loop, and another prompt starts its tokens at zero", async () => {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "t" }, recursionLimit: 100 };
  const options = { policy: { limits: { "run-tokens": { stop: 450 } } } };
  const { bash } = failingBash();
  const invoke = async (turns: number, content: string) => {
    const model = scriptedModel([...loop(turns), "I give up."]);
    const { sheepdog } = await agentOf({ model, tools: [bash], options, checkpointer }).invoke(
      { messages: [{ role: "user", content }] },
      config,
    );
    return { notices: noticesIn(model).flat(), sheepdog };
  };
  const first = await invoke(2, "Run the tests.");
  const second = await invoke(3, "Again.");
  expect(first.notices).toEqual([]);
  expect(second.notices).not.toEqual([]);
  expect(second.sheepdog?.run).not.toBe(first.sheepdog?.run);
  expect(second.sheepdog?.stop).toBeUndefined(); // 300 and 400 tokens
});

test("a run that continues in another process remembers its loop and its tokens", async () => {
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: "t" } };
  const { bash } = failingBash();
  const model = scriptedModel(loop(20));
  const options = { policy: { limits: { "run-tokens": { stop: 450 } } } };
  const step = (input: typeof prompt | null) =>
    agentOf({ model, tools: [bash], options, checkpointer }).invoke(input, { ...config, interruptBefore: ["model"] });
  await step(prompt);
  for (let turn = 0; turn < 4; turn++) await step(null); // a new guard each time
  expect(noticesIn(model).at(-1)).toEqual([expect.stringContaining("has failed 3 times")]);
  const { sheepdog } = await step(null);
  expect(sheepdog?.stop?.reason).toBe("token_budget");
});

test("tools that return commands keep working", async () => {
  const { bash } = failingBash();
  const note = tool(
    ({ text }: { text: string }, { toolCall }: { toolCall?: { id?: string } }) =>
      new Command({ update: { messages: [new ToolMessage({ content: text, tool_call_id: toolCall?.id ?? "" })] } }),
    { name: "note", description: "Writes a note.", schema: z.object({ text: z.string() }) },
  ) as unknown as DynamicStructuredTool; // its arguments do not matter here
  const both = [...failingCall, { name: "note", args: { text: "Still failing." } }];
  const model = scriptedModel([both, both, both, "I give up."]);
  const { messages } = await agentOf({ model, tools: [bash, note] }).invoke(prompt, { recursionLimit: 100 });
  expect(messages.filter(({ type }) => type === "tool")).toHaveLength(6);
  expect(noticesOf(messages)).toEqual([expect.stringContaining("The same 2 calls have been made in turn 3 times")]);
});

test("a node of the program keeps its other updates, and its command", async () => {
  const reply = new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "bash", args: {} }] });
  const state = { messages: [new HumanMessage("Run the tests."), reply] };
  const result = new ToolMessage({ content: "ok", tool_call_id: "c1" });
  const nodeOf = (output: unknown) => guardToolNode({ invoke: async () => output });
  const update = await nodeOf({ messages: [result], documents: 3 })(state, {});
  expect(update).toMatchObject({ messages: [result], documents: 3, sheepdog: { openCalls: [] } });
  const command = new Command({ update: { messages: [result] }, goto: "review" });
  expect(await nodeOf(command)(state, {})).toMatchObject([command, { sheepdog: { openCalls: [] } }]);
});

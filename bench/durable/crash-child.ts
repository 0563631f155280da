import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRuntime, ok, sqliteStores, type Tool } from "../../packages/agent/dist/index.js";
import { anyInput } from "../loop/any-input.ts";
import { loadLangchain } from "../loop/contestants/load-langchain.ts";
import { conversation, system, toolDescription, toolName } from "../loop/conversation.ts";
import type { Meter } from "../loop/meter.ts";
import { runtimeModel } from "../loop/scripted-model.ts";
import { serveTasks } from "../measure/serve-tasks.ts";
import { databaseName } from "./contestant.ts";
import { oursName } from "./contestants/index.ts";
import { langgraphPeer, loadSaver } from "./contestants/langgraph.ts";
import { addEffect } from "./effects.ts";
import { type ModelRequest, readLangchainMessages, readPrompt } from "./model-request.ts";

/** Starts a conversation and is killed, or continues the conversation of a killed process. */
export interface CrashTask {
  readonly step: "start" | "resume" | "message";
  readonly folder: string;
}

/** The requests to the model of this process. */
export interface Requests {
  readonly requests: readonly ModelRequest[];
}

await serveTasks<CrashTask, Requests>(async () => (process.argv[2] === oursName ? runOurs : await loadLanggraph()));

/** The tool has its effect, waits, and in the first process does not return. */
async function callTool({ step, folder }: CrashTask): Promise<string> {
  addEffect(folder);
  await sleep(200);
  if (step === "start") process.kill(process.pid, "SIGKILL");
  return "It is done.";
}

function recordRequests(read: (prompt: unknown) => ModelRequest): Meter & Requests {
  const requests: ModelRequest[] = [];
  return { requests, request: (prompt) => void requests.push(read(prompt)) };
}

async function runOurs(task: CrashTask): Promise<Requests> {
  const recorder = recordRequests(readPrompt);
  const script = conversation(task.step === "start" ? 1 : 0);
  const tool: Tool = {
    name: toolName,
    description: toolDescription,
    kind: "mutate",
    ...anyInput,
    run: async () => ok(await callTool(task)),
  };
  const stores = await sqliteStores({ path: join(task.folder, databaseName) });
  const runtime = createRuntime({ models: [runtimeModel(script, recorder)], tools: [tool], system, stores });
  const run = task.step === "resume" ? await runtime.resume("ses_1") : runtime.run("ses_1", script.prompt);
  const { reason } = await run.result;
  await stores.close();
  if (reason !== "answered") throw new Error(`Expected an answer; got ${reason}.`);
  return { requests: recorder.requests };
}

async function loadLanggraph(): Promise<(task: CrashTask) => Promise<Requests>> {
  const { createAgent, readTool, chatModel } = await loadLangchain(langgraphPeer);
  const openSaver = await loadSaver();
  return async (task) => {
    const recorder = recordRequests(readLangchainMessages);
    const script = conversation(task.step === "start" ? 1 : 0);
    const saver = openSaver(task.folder);
    const agent = createAgent({
      model: chatModel(script, recorder),
      tools: [readTool(() => callTool(task))],
      systemPrompt: system,
      checkpointer: saver,
    });
    const input = task.step === "resume" ? null : { messages: [{ role: "user", content: script.prompt }] };
    const stream = await agent.stream(input, { streamMode: ["messages", "values"], configurable: { thread_id: "1" } });
    for await (const _ of stream); // to its end
    saver.db.close();
    return { requests: recorder.requests };
  };
}

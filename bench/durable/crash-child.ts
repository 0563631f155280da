import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRuntime, type Model, ok, sqliteStores, type Tool } from "../../packages/agent/dist/index.js";
import { loadLangchain } from "../loop/contestants/load-langchain.ts";
import { conversation, system, toolDescription, toolName } from "../loop/conversation.ts";
import type { Meter } from "../loop/meter.ts";
import { scriptedModel } from "../loop/scripted-model.ts";
import { serve } from "../measure/serve.ts";
import { databaseName } from "./contestant.ts";
import { oursName } from "./contestants/index.ts";
import { langgraphPeer, loadSaver } from "./contestants/langgraph.ts";
import { addEffect } from "./effects.ts";
import { type Request, requestOfLangchain, requestOfPrompt } from "./request.ts";

/** What a process is asked: to start and be killed, or to go on where another was. */
export interface CrashOrder {
  readonly step: "start" | "continue" | "message";
  readonly folder: string;
}

/** What the model of the process was asked. */
export interface Seen {
  readonly requests: readonly Request[];
}

await serve<CrashOrder, Seen>(async () => (process.argv[2] === oursName ? ours : await openLanggraph()));

/** The tool changes something, is at it for a while, and in the first process does not come back. */
async function act({ step, folder }: CrashOrder): Promise<string> {
  addEffect(folder);
  await pause(200);
  if (step === "start") process.kill(process.pid, "SIGKILL");
  return "It is done.";
}

function watching(read: (prompt: unknown) => Request): Meter & Seen {
  const requests: Request[] = [];
  return { requests, request: (prompt) => void requests.push(read(prompt)) };
}

const anything = { "~standard": { version: 1, vendor: "bench", validate: (value: unknown) => ({ value }) } } as const;

async function ours(order: CrashOrder): Promise<Seen> {
  const watch = watching(requestOfPrompt);
  const script = conversation(order.step === "start" ? 1 : 0);
  const tool: Tool = {
    name: toolName,
    description: toolDescription,
    kind: "mutate",
    input: anything,
    jsonSchema: { type: "object" },
    run: async () => ok(await act(order)),
  };
  const stores = await sqliteStores({ path: join(order.folder, databaseName) });
  const runtime = createRuntime({
    models: [scriptedModel(script, watch) as unknown as Model],
    tools: [tool],
    system,
    stores,
  }); // as much of it as a loop uses
  const run = order.step === "continue" ? await runtime.resume("ses_1") : runtime.run("ses_1", script.prompt);
  const { reason } = await run.result;
  await stores.close();
  if (reason !== "answered") throw new Error(`Expected an answer; got ${reason}.`);
  return { requests: watch.requests };
}

async function openLanggraph(): Promise<(order: CrashOrder) => Promise<Seen>> {
  const { createAgent, readTool, chatModel } = await loadLangchain(langgraphPeer);
  const open = await loadSaver();
  return async (order) => {
    const watch = watching(requestOfLangchain);
    const script = conversation(order.step === "start" ? 1 : 0);
    const saver = open(order.folder);
    const agent = createAgent({
      model: chatModel(script, watch),
      tools: [readTool(() => act(order))],
      systemPrompt: system,
      checkpointer: saver,
    });
    const input = order.step === "continue" ? null : { messages: [{ role: "user", content: script.prompt }] };
    const stream = await agent.stream(input, { streamMode: ["messages", "values"], configurable: { thread_id: "1" } });
    for await (const _ of stream); // to its end
    saver.db.close();
    return { requests: watch.requests };
  };
}

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AgentEvent, createRuntime, type Goal, type Runtime, type RuntimeOptions } from "@sheepdog/agent";
import { type ModelRequest, type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { sqliteStores } from "../../src/stores/sqlite/sqlite-stores.ts";
import { lookTool, noteTool } from "./note-tools.ts";
import { noStep, type Step } from "./step.ts";
import { steppedModel } from "./stepped-model.ts";
import { steppedStores } from "./stepped-stores.ts";

export const session = "ses_1";
export const prompt = "Write three notes.";
/** The answer of the run. */
export const answer = "Three notes are there.";

/** The goal of a run with a goal. */
export const goal: Goal = { text: "Three notes.", criteria: [{ type: "OutputContains", text: "Three notes" }] };

/** Three turns: two notes, a look and a note, an answer. The conversation decides the turn, so a resume works. */
const turns: readonly ScriptedTurn[] = [
  {
    text: "First two.",
    calls: [
      { tool: "note", input: { text: "one" } },
      { tool: "note", input: { text: "two" } },
    ],
  },
  {
    calls: [
      { tool: "look", input: {} },
      { tool: "note", input: { text: "three" } },
    ],
  },
  { text: answer },
];

/** Two turns: a subagent writes a note, and an answer. */
const task = "Write one note.";
const spawning: readonly ScriptedTurn[] = [{ calls: [{ tool: "spawn", input: { task } }] }, { text: answer }];
const spawned: readonly ScriptedTurn[] = [
  { calls: [{ tool: "note", input: { text: "of a subagent" } }] },
  { text: "One note is there." },
];

/** A runtime with the scenario, and what this process has done. */
export interface Scenario {
  readonly runtime: Runtime;
  /** Requests that this process sent to the model. */
  readonly requests: readonly ModelRequest[];
  /** Ids of the requests that this process reserved. */
  readonly reserved: readonly string[];
  readonly events: readonly AgentEvent[];
}

export interface ScenarioOptions extends Partial<Omit<RuntimeOptions, "stores" | "approve">> {
  readonly step?: Step;
  readonly onEvent?: (event: AgentEvent) => void;
  readonly onReserved?: (id: string) => void;
  readonly lockWaitMs?: number;
  /** When present, every note needs approval. */
  readonly approve?: NonNullable<RuntimeOptions["approve"]>;
}

export const databaseIn = (folder: string): string => join(folder, "state", "sheepdog.db");
export const effectsFolder = (folder: string): string => join(folder, "effects");

/** Opens the scenario in a folder. */
export async function openScenario(
  folder: string,
  { step = noStep, onEvent, onReserved, lockWaitMs, approve, ...more }: ScenarioOptions = {},
): Promise<Scenario> {
  mkdirSync(effectsFolder(folder), { recursive: true });
  const model = scriptedModel([], { afterLast: (request) => nextTurn(request, more.subagents === true) });
  const reserved: string[] = [];
  const events: AgentEvent[] = [];
  const stores = steppedStores(await sqliteStores({ path: databaseIn(folder), lockWaitMs }), step, (id) => {
    reserved.push(id);
    onReserved?.(id);
  });
  const runtime = createRuntime({
    models: [steppedModel(model, step)],
    tools: [noteTool(effectsFolder(folder), step), lookTool(effectsFolder(folder), step)],
    workspace: folder,
    price,
    stores,
    gate: {
      async decide(_call, { name }) {
        step("gate: before");
        await new Promise(setImmediate);
        step("gate: after");
        return { tier: 1, decision: approve !== undefined && name === "note" ? "ask" : "allow", reason: "a test" };
      },
    },
    ...(approve === undefined ? {} : { attended: true, approve }),
    ...more,
  });
  runtime.bus.subscribe((event) => {
    events.push(event);
    onEvent?.(event);
    step(`event: ${event.type}`);
  });
  return { runtime, requests: model.requests, reserved, events };
}

/** The next turn. A request after the last turn gets a reply that shows the mistake. */
function nextTurn({ prompt: messages, text }: ModelRequest, usesSubagent: boolean): ScriptedTurn {
  const script = text.includes(prompt) ? (usesSubagent ? spawning : turns) : text.includes(task) ? spawned : turns;
  return script[messages.filter(({ role }) => role === "assistant").length] ?? { text: "I have said so already." };
}

function price(_model: string, { input, output }: { readonly input: number; readonly output: number }): number {
  return (input + output) * 1_000;
}

import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Message, ok, type RuntimeOptions, type Tool, type ToolContext } from "@sheepdog/agent";
import {
  type FaultyTurn,
  faultyTurns,
  type ScriptedTurn,
  scriptedModel,
  startWireServer,
} from "@sheepdog/agent/testing";
import type { ToolKind } from "@sheepdog/guardian";
import { afterAll, onTestFinished } from "vitest";
import { z } from "zod";
import { findModel } from "../src/provider/find-model.ts";
import { builtinTools } from "../src/tools/builtin-tools.ts";
import { session, type TestAgent, testAgent } from "./test-agent.ts";

/** A secret that may be nowhere. */
export const canary = "sk-fault-canary-1177-2288-3399";
/** The reply that ends a run. */
export const done: ScriptedTurn = { text: "Done." };
/** A text to be broken off in the middle. */
export const longText = "The quick brown dog herds the sheep back over the hill before the rain sets in.";
/** In the environment of every process that the tools start. */
export const processMark = `SHEEPDOG_TRIAL=${process.pid}-${Math.random()}`;

/** A workspace of the test file's own; what is around it is outside. */
export const outerFolder = realpathSync(mkdtempSync(join(tmpdir(), "sheepdog-faults-")));
export const workspace = join(outerFolder, "work");
mkdirSync(workspace);
afterAll(() => rm(outerFolder, { recursive: true, force: true }));

/** What a tool does. */
export type ToolFunction = (input: { readonly path?: string }, context: ToolContext) => unknown;

/** A tool that takes anything; what it gives back need not be what tools promise. */
export function tool(name: string, kind: ToolKind, act: ToolFunction, input: Tool["input"] = z.looseObject({})): Tool {
  return {
    name,
    kind,
    description: name,
    input,
    run: (given, context) => act(given as { path?: string }, context) as ReturnType<Tool["run"]>,
  }; // untrue on purpose where a test says so
}

/** A reading tool with one argument that remembers what it was asked for. */
export function reader(): { readonly tool: Tool; readonly asked: string[] } {
  const asked: string[] = [];
  const act: ToolFunction = async ({ path = "" }) => {
    asked.push(path);
    return ok(`the text of ${path}`);
  };
  return { asked, tool: tool("read", "read", act, z.strictObject({ path: z.string() })) };
}

/** The real tools, with processes that can be found. */
export function realTools(): readonly Tool[] {
  const [name = "", value = ""] = processMark.split("=");
  return builtinTools({ workspace, bash: { environment: { [name]: value }, graceMs: 200 } });
}

/** A turn that calls a tool, once for each input. */
export const calls = (name: string, ...inputs: readonly unknown[]): ScriptedTurn => ({
  calls: inputs.map((input) => ({ tool: name, input })),
});
/** The faulty turns with one of these words in their name. */
export const faultyTurnsNamed = (...words: readonly string[]): (readonly [string, FaultyTurn])[] =>
  faultyTurns.filter(({ name }) => words.some((word) => name.includes(word))).map((each) => [each.name, each]);

/** The faulty turn with this word in its name. */
export const faultyTurn = (word: string): ScriptedTurn => faultyTurnsNamed(word)[0]?.[1].turn ?? {};

/** A trial with a real provider package over a real connection. */
export async function overWire(
  provider: string,
  script: readonly ScriptedTurn[],
  more: Partial<RuntimeOptions> = {},
): Promise<TestAgent & { readonly requests: readonly { readonly text: string }[] }> {
  const server = await startWireServer(script, { afterLast: script.at(-1) ?? "error" });
  onTestFinished(() => server.close());
  const model = await findModel({ provider, modelId: "shepherd-1", baseUrl: server.url, apiKey: canary }, {});
  return { ...testAgent(model, [reader().tool], more), requests: server.requests };
}

/** How a run goes on after one turn. */
export async function runAfter(turn: ScriptedTurn, tools: readonly Tool[] = [], more: Partial<RuntimeOptions> = {}) {
  const model = scriptedModel([turn], { afterLast: done });
  const agent = testAgent(model, tools, { workspace, ...more });
  return { ...agent, model, result: await agent.run("Go.", { canaries: [canary], processMark }) };
}

/** The history of the session. */
export const storedMessages = async (agent: TestAgent): Promise<readonly Message[]> =>
  (await agent.runtime.stores.sessions.load(session)).messages;

/** A run that goes on until somebody ends it. */
export function endlessRun(
  turn: (count: number) => ScriptedTurn,
  tools: readonly Tool[],
  more: Partial<RuntimeOptions> = {},
) {
  let count = 0;
  const model = scriptedModel([], { afterLast: () => turn(count++) });
  return { model, agent: testAgent(model, tools, { settings: { maxTurns: 80, maxContextTokens: 200_000 }, ...more }) };
}

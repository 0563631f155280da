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

/** A secret that must not appear anywhere. */
export const canary = "sk-fault-canary-1177-2288-3399";
/** The reply that ends a run. */
export const done: ScriptedTurn = { text: "Done." };
/** A text that is long enough to break off in the middle. */
export const longText = "The quick brown dog herds the sheep back over the hill before the rain sets in.";
/** A variable in the environment of every process that the tools start. */
export const processMark = `SHEEPDOG_TEST=${process.pid}-${Math.random()}`;

/** The temporary folder of a test file; only `workspace`, inside it, may be changed by tools. */
export const outerFolder = realpathSync(mkdtempSync(join(tmpdir(), "sheepdog-faults-")));
export const workspace = join(outerFolder, "work");
mkdirSync(workspace);
afterAll(() => rm(outerFolder, { recursive: true, force: true }));

/** The implementation of a test tool. */
export type ToolFunction = (input: { readonly path?: string }, context: ToolContext) => unknown;

/** A tool that accepts any input. Its function may return anything, so that tests can break the contract of tools. */
export function tool(name: string, kind: ToolKind, act: ToolFunction, schema: Tool["input"] = z.looseObject({})): Tool {
  return {
    name,
    kind,
    description: name,
    input: schema,
    run: (input, context) => act(input as { path?: string }, context) as ReturnType<Tool["run"]>,
  }; // the casts are untrue where a test breaks the contract
}

/** A reading tool with one argument, and the paths it was called with. */
export function reader(): { readonly tool: Tool; readonly paths: string[] } {
  const paths: string[] = [];
  const act: ToolFunction = async ({ path = "" }) => {
    paths.push(path);
    return ok(`the text of ${path}`);
  };
  return { paths, tool: tool("read", "read", act, z.strictObject({ path: z.string() })) };
}

/** The built-in tools; their processes carry `processMark`. */
export function realTools(): readonly Tool[] {
  const [name = "", value = ""] = processMark.split("=");
  return builtinTools({ workspace, bash: { environment: { [name]: value }, graceMs: 200 } });
}

/** A turn that calls a tool, once for each input. */
export const calls = (name: string, ...inputs: readonly unknown[]): ScriptedTurn => ({
  calls: inputs.map((input) => ({ tool: name, input })),
});
/** The faulty turns whose name contains one of these words. */
export const faultyTurnsNamed = (...words: readonly string[]): (readonly [string, FaultyTurn])[] =>
  faultyTurns.filter(({ name }) => words.some((word) => name.includes(word))).map((faulty) => [faulty.name, faulty]);

/** The faulty turn whose name contains this word. */
export function faultyTurn(word: string): ScriptedTurn {
  const [, faulty] = faultyTurnsNamed(word)[0] ?? [];
  if (faulty === undefined) throw new Error(`Expected a faulty turn whose name contains "${word}".`);
  return faulty.turn;
}

/** A test agent whose model is a real provider package over a real connection. */
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

/** Runs a model that makes one given turn and then answers. */
export async function runTurn(turn: ScriptedTurn, tools: readonly Tool[] = [], more: Partial<RuntimeOptions> = {}) {
  const model = scriptedModel([turn], { afterLast: done });
  const agent = testAgent(model, tools, { workspace, ...more });
  return { ...agent, model, result: await agent.run("Go.", { canaries: [canary], processMark }) };
}

/** The stored messages of the session. */
export const storedMessages = async (agent: TestAgent): Promise<readonly Message[]> =>
  (await agent.runtime.stores.sessions.load(session)).messages;

/** An agent whose model never answers: only a limit or the guardian ends its run. */
export function endlessAgent(
  turn: (count: number) => ScriptedTurn,
  tools: readonly Tool[],
  more: Partial<RuntimeOptions> = {},
) {
  let count = 0;
  const model = scriptedModel([], { afterLast: () => turn(count++) });
  return { model, agent: testAgent(model, tools, { settings: { maxTurns: 80, maxContextTokens: 200_000 }, ...more }) };
}

import {
  createRuntime,
  defineTool,
  failed,
  ok,
  type Run,
  type RunResult,
  type Runtime,
  type RuntimeOptions,
  type Stores,
  type Tool,
} from "@sheepdog/agent";
import { type ModelRequest, type Script, scriptedModel } from "@sheepdog/agent/testing";
import { defaultPolicy } from "@sheepdog/guardian";
import { z } from "zod";
import { main } from "../src/cli.ts";
import { openStores } from "../src/compose/open-stores.ts";
import { type Home, resolveHome } from "../src/home.ts";
import { fakeIo } from "./fake-io.ts";

/** A home folder with real stores, for runs of a scripted model and for commands. */
export interface TestHome {
  readonly home: Home;
  readonly stores: Stores;
  readonly env: Record<string, string>;
  runtime(script: Script<ModelRequest>, more?: Partial<RuntimeOptions>): Runtime;
  /** Runs a prompt to its end. */
  runPrompt(
    sessionId: string,
    prompt: string,
    script: Script<ModelRequest>,
    more?: Partial<RuntimeOptions>,
  ): Promise<RunResult>;
  /** Starts a run that waits in a call until it is released. */
  startRun(
    sessionId: string,
    prompt: string,
    more?: Partial<RuntimeOptions>,
  ): Promise<{ readonly run: Run; release(): void }>;
  sheepdog(...argv: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
  close(): Promise<void>;
}

/** Control characters, and marks that change the direction of text. */
export const terminalControls: RegExp = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

/** One dollar per thousand tokens. */
export const price: NonNullable<RuntimeOptions["price"]> = (_model, { input, output }) => (input + output) * 1_000_000;

/** Fails with the same result each time. */
export const stubbornTool: Tool = defineTool({
  name: "stubborn",
  kind: "read",
  description: "",
  input: z.looseObject({}),
  run: async () => failed("no rule to make target 'all'"),
});
/** Returns its input. */
export const echo: Tool = defineTool({
  name: "echo",
  kind: "read",
  description: "",
  input: z.looseObject({ text: z.string() }),
  run: async ({ text }) => ok(text),
});

/** A tool whose call waits until it is released, or until its run ends. */
export function heldTool(name: string): { readonly tool: Tool; readonly reached: Promise<void>; release(): void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const run = async (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
    reach();
    await Promise.race([held, new Promise((resolve) => signal.addEventListener("abort", resolve))]);
    return ok("waited");
  };
  const tool = defineTool({ name, kind: "mutate", description: "", input: z.looseObject({}), run });
  return { tool, reached, release: () => release() };
}

/** Opens a home folder for a test. */
export async function openTestHome(folder: string): Promise<TestHome> {
  const env = { SHEEPDOG_HOME: folder, HOME: folder, COLUMNS: "160" };
  const home = resolveHome(env);
  const stores = await openStores(home, home.logDir);
  const usage = { input: 900, output: 100 };
  const runtime: TestHome["runtime"] = (script, more = {}) =>
    createRuntime({
      models: [scriptedModel(script.map((turn) => (typeof turn === "function" ? turn : { usage, ...turn })))],
      tools: [stubbornTool, echo],
      workspace: folder,
      policy: defaultPolicy,
      gate: { decide: async () => ({ tier: 0, decision: "allow", reason: "a test" }) },
      price,
      ...more,
      stores: more.stores ?? stores,
    });
  return {
    home,
    stores,
    env,
    runtime,
    runPrompt: (sessionId, prompt, script, more) => runtime(script, more).run(sessionId, prompt).result,
    async startRun(sessionId, prompt, more = {}) {
      const { tool, reached, release } = heldTool("wait");
      const run = runtime([{ calls: [{ tool: "wait", input: {} }] }, { text: "Done." }], {
        tools: [tool],
        ...more,
      }).run(sessionId, prompt);
      await reached;
      return { run, release };
    },
    async sheepdog(...argv) {
      const io = fakeIo({ env, cwd: folder });
      const code = await main(argv, io);
      return { code, out: io.out(), err: io.err() };
    },
    close: () => stores.close(),
  };
}

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { createRuntime, RuntimeOptions, Tool } from "../../../packages/agent/dist/index.js";
import { importBuilt } from "../../measure/baseline.ts";
import type { RunConversation } from "../contestant.ts";
import { system, toolDescription, toolName } from "../conversation.ts";
import { runtimeModel } from "../scripted-model.ts";

/** The kind of the tool, and options of the runtime beside the defaults. */
export type RuntimeSetup = Pick<Tool, "kind"> & Pick<RuntimeOptions, "stores" | "log" | "price">;

/** What is used of `@sheepdog/agent`: exports that every build has. */
interface AgentExports {
  readonly createRuntime: typeof createRuntime;
  ok(text: string): Awaited<ReturnType<Tool["run"]>>;
}

/**
 * Loads the runtime of a checkout. In memory unless `stores` are given, with guardian, gate, budgets and checkpoints,
 * and with three listeners.
 */
export async function loadRuntime(root: string): Promise<(setup: RuntimeSetup) => RunConversation> {
  const { createRuntime, ok } = await importBuilt<AgentExports>(root, "agent");
  const { z } = await importZod(root);
  const input = z.object({ path: z.string() });
  return ({ kind, ...options }) =>
    async (conversation, meter) => {
      const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
      let calls = 0;
      const tool: Tool = {
        name: toolName,
        description: toolDescription,
        kind,
        input,
        async run(args) {
          calls += 1;
          return ok(results.get((args as { path: string }).path) ?? ""); // validated by the schema
        },
      };
      const runtime = createRuntime({
        ...options,
        models: [runtimeModel(conversation, meter)],
        tools: [tool],
        system,
        gate: { decide: async () => ({ tier: 0, decision: "allow", reason: "it reads" }) },
        settings: { maxTurns: 1_000_000, maxDurationSecs: 1_000_000, maxContextTokens: 1_000_000_000 },
      });
      let characters = 0;
      let finishedCalls = 0;
      let events = 0;
      runtime.bus.subscribe((event) => {
        if (event.type === "TextDelta") characters += event.text.length;
      });
      runtime.bus.subscribe((event) => {
        if (event.type === "ToolEnd") finishedCalls += 1;
      });
      runtime.bus.subscribe(() => {
        events += 1;
      });
      const result = await runtime.run("ses_1", conversation.prompt).result;
      if (result.reason !== "answered" || result.interventions.length > 0 || finishedCalls !== calls)
        throw new Error(`Expected an answer without interventions; got ${JSON.stringify(result).slice(0, 400)}.`);
      return { characters, calls, retained: { runtime, events } };
    };
}

/** The schema library that the checkout's runtime depends on. */
async function importZod(root: string): Promise<typeof import("zod")> {
  const path = createRequire(join(root, "packages/agent/package.json")).resolve("zod");
  return (await import(pathToFileURL(path.replace(/\.cjs$/, ".js")).href)) as typeof import("zod"); // its own types
}

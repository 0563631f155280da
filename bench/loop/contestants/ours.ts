import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Model, RuntimeOptions, Tool } from "../../../packages/agent/dist/index.js";
import type { Open, Play } from "../contestant.ts";
import { system, toolDescription, toolName } from "../conversation.ts";
import { scriptedModel } from "../scripted-model.ts";

/** The runtime with everything on but a disk: guardian, gate, budgets, checkpoints in memory, and three listeners. */
export const openOurs: Open = async () => (await loadOurs())({ kind: "read" });

/** What the tool is said to be, and what the runtime has besides. */
export type More = Pick<Tool, "kind"> & Pick<RuntimeOptions, "stores" | "log" | "price">;

/** Loads the runtime. */
export async function loadOurs(): Promise<(more: More) => Play> {
  const { createRuntime, ok } = await import("../../../packages/agent/dist/index.js");
  const { z } = await agentsZod();
  const input = z.object({ path: z.string() });
  return ({ kind, ...more }) =>
    async (conversation, meter) => {
      const results = new Map(conversation.turns.map(({ path, result }) => [path, result]));
      let calls = 0;
      const tool: Tool = {
        name: toolName,
        description: toolDescription,
        kind,
        input,
        async run(given) {
          calls += 1;
          return ok(results.get((given as { path: string }).path) ?? ""); // as the schema says
        },
      };
      const runtime = createRuntime({
        ...more,
        models: [scriptedModel(conversation, meter) as unknown as Model], // as much of it as a loop uses
        tools: [tool],
        system,
        gate: { decide: async () => ({ tier: 0, decision: "allow", reason: "it reads" }) },
        settings: { maxTurns: 1_000_000, maxDurationSecs: 1_000_000, maxContextTokens: 1_000_000_000 },
      });
      let characters = 0;
      let ends = 0;
      let events = 0;
      runtime.bus.subscribe((event) => {
        if (event.type === "TextDelta") characters += event.text.length;
      });
      runtime.bus.subscribe((event) => {
        if (event.type === "ToolEnd") ends += 1;
      });
      runtime.bus.subscribe(() => {
        events += 1;
      });
      const result = await runtime.run("ses_1", conversation.prompt).result;
      if (result.reason !== "answered" || result.interventions.length > 0 || ends !== calls)
        throw new Error(
          `Expected a run that is answered without a word from the guardian; got ${JSON.stringify(result).slice(0, 400)}.`,
        );
      return { characters, calls, kept: { runtime, events } };
    };
}

/** The schema library that the runtime itself is tested with. */
async function agentsZod(): Promise<typeof import("zod")> {
  const path = createRequire(new URL("../../../packages/agent/package.json", import.meta.url)).resolve("zod");
  return (await import(pathToFileURL(path.replace(/\.cjs$/, ".js")).href)) as typeof import("zod"); // its own types
}

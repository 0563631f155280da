import { createRuntime, type Model, type Tool } from "../../packages/agent/dist/index.js";
import { conversation, toolDescription, toolName } from "./conversation.ts";
import { scriptedModel } from "./scripted-model.ts";

const anything = { "~standard": { version: 1, vendor: "bench", validate: (value: unknown) => ({ value }) } } as const;

/** How many milliseconds after `cancel()` a run has ended whose tool never does; the longest of twenty. */
export async function abortMs(): Promise<number> {
  let longest = 0;
  for (let i = 0; i < 20; i += 1) {
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const tool: Tool = {
      name: toolName,
      description: toolDescription,
      kind: "read",
      input: anything,
      jsonSchema: { type: "object" },
      run() {
        start();
        return new Promise(() => {});
      },
    };
    const model = scriptedModel(conversation(2), { request() {} }) as unknown as Model; // as much of it as a loop uses
    const run = createRuntime({ models: [model], tools: [tool] }).run("ses_1", "Read.");
    await started;
    const at = performance.now();
    run.cancel();
    const { reason } = await run.result;
    if (reason !== "cancelled") throw new Error(`Expected a cancelled run; got ${reason}.`);
    longest = Math.max(longest, performance.now() - at);
  }
  return longest;
}

import { createRuntime, type Tool } from "../../packages/agent/dist/index.js";
import { anyInput } from "./any-input.ts";
import { conversation, toolDescription, toolName } from "./conversation.ts";
import { runtimeModel } from "./scripted-model.ts";

/** Milliseconds from `cancel()` to the end of a run whose tool never returns; the longest of twenty runs. */
export async function abortMs(): Promise<number> {
  let longestMs = 0;
  for (let run = 0; run < 20; run += 1) longestMs = Math.max(longestMs, await cancelOnce());
  return longestMs;
}

async function cancelOnce(): Promise<number> {
  let markStarted = () => {};
  const started = new Promise<void>((resolve) => {
    markStarted = resolve;
  });
  const tool: Tool = {
    name: toolName,
    description: toolDescription,
    kind: "read",
    ...anyInput,
    run() {
      markStarted();
      return new Promise(() => {});
    },
  };
  const model = runtimeModel(conversation(2), { request() {} });
  const run = createRuntime({ models: [model], tools: [tool] }).run("ses_1", "Read.");
  await started;
  const cancelledAt = performance.now();
  run.cancel();
  const { reason } = await run.result;
  if (reason !== "cancelled") throw new Error(`Expected a cancelled run; got ${reason}.`);
  return performance.now() - cancelledAt;
}

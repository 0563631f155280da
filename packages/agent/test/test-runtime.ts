import { createRuntime, type Model, type Runtime, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { type ManualClock, manualClock } from "./manual-clock.ts";

let observe = (_runtime: Runtime): void => {};

/** Calls `listener` with each runtime that the tests of this file create. */
export function observeRuntimes(listener: (runtime: Runtime) => void): void {
  observe = listener;
}

/** Creates a runtime with a manual clock and a gate that allows every call. */
export function testRuntime(
  model: Model,
  tools: readonly Tool[] = [],
  options: Partial<RuntimeOptions> = {},
): { readonly runtime: Runtime; readonly clock: ManualClock } {
  const clock = manualClock();
  const runtime = createRuntime({ models: [model], tools, clock, gate: allowAll, ...options });
  observe(runtime);
  return { runtime, clock };
}

/** Allows every call. */
export const allowAll: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 0, decision: "allow", reason: "a test" }),
};

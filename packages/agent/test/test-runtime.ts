import { createRuntime, type Model, type Runtime, type RuntimeOptions, type Tool } from "@sheepdog/agent";
import { type ManualClock, manualClock } from "./manual-clock.ts";

/** Creates a runtime with a manual clock and a gate that allows every call. */
export function testRuntime(
  model: Model,
  tools: readonly Tool[] = [],
  options: Partial<RuntimeOptions> = {},
): { readonly runtime: Runtime; readonly clock: ManualClock } {
  const clock = manualClock();
  return { runtime: createRuntime({ models: [model], tools, clock, gate: allowAll, ...options }), clock };
}

/** Allows every call. */
export const allowAll: NonNullable<RuntimeOptions["gate"]> = {
  decide: async () => ({ tier: 0, decision: "allow", reason: "a test" }),
};

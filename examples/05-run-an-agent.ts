/** The runtime with a scripted model: a real loop, a real tool, and a guardian that ends the run. */
import { createRuntime, defineTool, failed } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";
import { z } from "zod";

const test = defineTool({
  name: "run_tests",
  description: "Runs the tests of the project.",
  kind: "unknown",
  input: z.object({ folder: z.string() }),
  run: async () => failed("1 failing: expected 3, got 4"),
});

// A model that repeats the same call forever.
const model = scriptedModel([], {
  afterLast: { text: "Let me run the tests again.", calls: [{ tool: "run_tests", input: { folder: "src" } }] },
});
const allowAll = { decide: async () => ({ tier: 0, decision: "allow", reason: "an example" }) as const };
const run = createRuntime({ models: [model], tools: [test], gate: allowAll }).run("ses_1", "Make the tests pass.");

for await (const event of run) {
  if (event.type === "ToolBlocked") console.log(`refused  ${event.message}`);
  if (event.type === "GuardianIntervention" && event.intervention.denies === undefined)
    console.log(`${event.intervention.level.padEnd(8)} ${event.intervention.message}`);
}
const { reason, turns } = await run.result;
console.log(`ended    ${reason} after ${turns} turns`);

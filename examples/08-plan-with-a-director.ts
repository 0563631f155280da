/** A director: the model plans a graph of runs, and changes the plan when a part of it fails. */
import { createRuntime } from "@sheepdog/agent";
import { scriptedModel } from "@sheepdog/agent/testing";

const plan = {
  nodes: [
    { id: "code", prompt: "Read the code and list what the flag does." },
    { id: "docs", prompt: "Read the docs and list what they say about the flag." },
    { id: "write", prompt: "Write the missing section.", inputs: ["code", "docs"] },
  ],
  edges: [
    { from: "code", to: "write" },
    { from: "docs", to: "write" },
  ],
};
const smallerPlan = {
  diagnosis: "The section was too long for one run.",
  nodes: [{ id: "write_short", prompt: "Write two sentences.", inputs: ["code", "docs"] }],
};

// A model that plays the director and its nodes by what it reads.
const model = scriptedModel([], {
  afterLast({ text, prompt }) {
    const replies = prompt.filter(({ role }) => role === "assistant").length;
    if (text.includes("Write the missing section.") && !text.includes("<director>"))
      return { text: "I cannot.", stop: "refused" };
    if (!text.includes("<director>")) return { text: "It is done." };
    const next = [plan, smallerPlan][replies];
    return next === undefined
      ? { text: "The flag is documented." }
      : { calls: [{ tool: "execute_plan", input: next }] };
  },
});
const goal = { text: "The flag is documented.", criteria: [{ type: "OutputContains", text: "documented" }] } as const;
const run = createRuntime({ models: [model] }).runWithDirector("ses_1", "Document the new flag.", goal);

for await (const event of run) {
  if (event.type === "GraphGenerated") console.log(`plan      ${event.nodes.map(({ id }) => id).join(", ")}`);
  if (event.type === "NodeComplete") console.log(`${event.status.padEnd(9)} ${event.nodeId}`);
  if (event.type === "EvolutionTriggered") console.log(`changed   ${event.diagnosis}`);
}
const { reason, text } = await run.result;
console.log(`ended     ${reason}: ${text}`);

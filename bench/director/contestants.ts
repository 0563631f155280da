import { createRuntime, defineTool, type Model, type Runtime } from "../../packages/agent/dist/index.js";
import { scriptedModel } from "../../packages/agent/dist/testing/index.js";
import { anyInput } from "../loop/any-input.ts";
import type { AsyncContestant } from "../measure/async-rounds.ts";

/** The ids of the nodes of one plan. */
export type Nodes = readonly string[];

const goal = { text: "All parts are done.", criteria: [{ type: "OutputContains", text: "done" }] } as const;
const PARALLEL = 3;
const allowAll = { decide: async () => ({ tier: 0, decision: "allow", reason: "a benchmark" }) as const };

/** A director that plans independent nodes, each of them a run with one reply, and then answers. */
export function directorContestant(name: string): AsyncContestant<Nodes> {
  return {
    name,
    async run(plans) {
      for (const ids of plans) {
        const nodes = ids.map((id) => ({ id, prompt: `Do ${id}.` }));
        const model = scriptedModel([], {
          afterLast({ text, prompt }) {
            const isFirst = prompt.every(({ role }) => role !== "assistant");
            if (!text.includes("<director>") || !isFirst) return { text: "It is done." };
            return { calls: [{ tool: "execute_plan", input: { nodes } }] };
          },
        });
        const { reason } = await runtimeOf(model).runWithDirector("ses_1", "Do it.", goal).result;
        expectAccepted(reason);
      }
    },
  };
}

/** The same runs without a director: one run with a call and an answer, then the parts, three at a time. */
export function runsContestant(name: string): AsyncContestant<Nodes> {
  return {
    name,
    async run(plans) {
      for (const ids of plans) {
        const model = scriptedModel([], {
          afterLast({ text, prompt }) {
            const isFirst = prompt.every(({ role }) => role !== "assistant");
            return text.includes("Begin.") && isFirst ? { calls: [{ tool: "begin" }] } : { text: "It is done." };
          },
        });
        const runtime = runtimeOf(model);
        expectAccepted((await runtime.runWithGoal("ses_1", "Begin.", goal).result).reason);
        const waiting = [...ids];
        const work = async () => {
          for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
            expectAccepted((await runtime.runWithGoal(`ses_${id}`, `Do ${id}.`, goal).result).reason);
        };
        await Promise.all(Array.from({ length: PARALLEL }, work));
      }
    },
  };
}

const begin = defineTool({ name: "begin", description: "Begins.", kind: "unknown", ...anyInput, run: () => "begun" });

function runtimeOf(model: Model): Runtime {
  return createRuntime({
    models: [model],
    tools: [begin],
    gate: allowAll,
    settings: { maxParallelNodes: PARALLEL, judgeMaxCostShare: 0 },
  });
}

function expectAccepted(reason: string): void {
  if (reason !== "goal_accepted") throw new Error(`Expected an accepted run; got ${reason}.`);
}

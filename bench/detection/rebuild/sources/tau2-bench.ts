import type { Clone } from "../clone.ts";
import { firstUserText, stepsOfMessages } from "../formats/chat-messages.ts";
import { outcomeOfReward } from "../formats/outcome.ts";
import { asList, asObject, asText, type Json } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";
import { tau2Files } from "./tau2-files.ts";

/** tau2-bench: customer service with a simulated user who has tools too. A file has many runs. */
export const tau2Bench: Source = {
  name: "tau2-bench",
  repository: "sierra-research/tau2-bench",
  commit: "a2c024725189473d2d7cea3a5cfdbcc67478e41f",
  licence: "MIT",
  furtherRefs: [...new Set(tau2Files.map(({ ref }) => ref).filter((ref) => ref.startsWith("refs/pull/")))],
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { name: file, blob } of tau2Files) {
    if (!wanted.hasBelow(file)) continue;
    const recording = asObject(await clone.json(blob));
    const info = asObject(recording["info"]);
    const model = asText(asObject(info["agent_info"])["llm"]) || file;
    const domain = asText(asObject(info["environment_info"])["domain_name"]);
    for (const simulation of asList(recording["simulations"]).map(asObject)) {
      const { task_id: task, trial = 0, id } = simulation;
      const runId = `${file}/${task}/${trial ?? "None"}/${asText(id).slice(0, 8)}`;
      if (!wanted.has(runId)) continue;
      const messages = asList(simulation["messages"]);
      yield {
        runId,
        model,
        task: `[${domain}] ${firstUserText(messages)}`,
        outcome: outcomeOfReward(asObject(simulation["reward_info"])["reward"] ?? simulation["reward"]),
        steps: stepsOfMessages(messages.flatMap(toolMessagesOf).filter((message) => !isForUser(message))),
      };
    }
  }
}

/** One message may hold the results of several calls. */
function toolMessagesOf(message: Json): readonly Json[] {
  const { role, tool_messages: results } = asObject(message);
  return role === "tool" && Array.isArray(results) && results.length > 0 ? results : [message];
}

/** Whether this is the result of a call that the simulated user made. */
function isForUser(message: Json): boolean {
  const { role, requestor } = asObject(message);
  return role === "tool" && requestor === "user";
}

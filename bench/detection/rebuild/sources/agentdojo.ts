import type { Clone } from "../clone.ts";
import { firstUserText, stepsOfMessages } from "../formats/chat-messages.ts";
import { outcomeOf } from "../formats/outcome.ts";
import { asList } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** AgentDojo: office work with injected prompts, one file a run. */
export const agentdojo: Source = {
  name: "agentdojo",
  repository: "sequrity-ai/agentdojo", // a fork of ethz-spylab/agentdojo
  commit: "9272bf1e0c1c441600264324f481b97fb54db60b",
  licence: "MIT",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files("runs")) {
    const runId = path.replace(/^runs\//, "").replace(/\.json$/, "");
    if (!wanted.has(runId)) continue;
    const recording = await clone.object(blob);
    if (recording === undefined) continue;
    const messages = asList(recording["messages"]);
    yield {
      runId,
      model: runId.split("/")[0] ?? "",
      task: firstUserText(messages),
      outcome: outcomeOf(recording["utility"]),
      steps: stepsOfMessages(messages),
    };
  }
}

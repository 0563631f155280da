import type { Clone } from "../clone.ts";
import { stepsOfMessages } from "../formats/chat-messages.ts";
import { outcomeOf } from "../formats/outcome.ts";
import { asList, asObject, asText } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** Office work in further AgentDojo suites, one file a run. The id of a run is in its file. */
export const luna: Source = {
  name: "luna-gpt5.6",
  repository: "Liu-Ruotian/agentdojo-luna-trajectories",
  commit: "c5b64f393cf0f77bf9cb99577b0aba27c51314a6",
  licence: "none stated",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files("runs")) {
    if (!path.endsWith(".json")) continue;
    const recording = asObject(await clone.json(blob));
    const runId = asText(recording["run_id"]);
    if (!wanted.has(runId)) continue;
    yield {
      runId,
      model: asText(recording["pipeline_name"]),
      task: asText(recording["user_prompt"]),
      outcome: outcomeOf(asObject(recording["evaluation"])["utility"]),
      steps: stepsOfMessages(asList(recording["messages"])),
    };
  }
}

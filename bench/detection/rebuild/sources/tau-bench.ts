import { basename } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { firstUserText, stepsOfMessages } from "../formats/chat-messages.ts";
import { outcomeOfReward } from "../formats/outcome.ts";
import { asList, asObject } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** tau-bench: customer service with a simulated user. A file has many runs of one model in one domain. */
export const tauBench: Source = {
  name: "tau-bench",
  repository: "sierra-research/tau-bench",
  commit: "59a200c6d575d595120f1cb70fea53cef0632f6b",
  licence: "MIT",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files("historical_trajectories")) {
    const file = basename(path, ".json"); // <model>-<domain>
    if (!wanted.hasBelow(file)) continue;
    for (const recording of asList(await clone.json(blob)).map(asObject)) {
      const runId = `${file}/task${recording["task_id"]}/trial${recording["trial"] ?? 0}`;
      if (!wanted.has(runId)) continue;
      const messages = asList(recording["traj"]);
      yield {
        runId,
        model: file.replace(/-[^-]*$/, ""),
        task: firstUserText(messages),
        outcome: outcomeOfReward(recording["reward"] ?? 0),
        steps: stepsOfMessages(messages),
      };
    }
  }
}

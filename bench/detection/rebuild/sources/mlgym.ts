import { basename, dirname } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { stepsOfTrajectory } from "../formats/swe-agent.ts";
import { asList, asObject, type JsonObject } from "../json.ts";
import type { Outcome } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** MLGym: machine learning tasks, in a derivative of SWE-agent. Each run has a folder. */
export const mlgym: Source = {
  name: "mlgym",
  repository: "facebookresearch/MLGym",
  commit: "9d40c1b5035202018cd7091fb4e83a9c68b377c0",
  licence: "CC BY-NC 4.0",
  readRuns,
};

/** The settings in the name of a folder. They are the same for all runs. */
const settings = "__default__t-0.00__p-0.95__c-4.00__install-0__parallel_agents";

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const blobs = new Map(clone.files("trajectories").map(({ path, blob }) => [path, blob]));
  for (const [path, blob] of blobs) {
    const name = basename(dirname(path)); // <model>__<task>__<settings>_run_<number>
    const runId = name.replace(settings, "");
    if (!path.endsWith(".traj") || !wanted.has(runId)) continue;
    const trajectory = await clone.object(blob);
    if (trajectory === undefined) continue;
    const scores = asObject(await clone.json(blobs.get(`${dirname(path)}/results.json`)));
    const [model = "", task = ""] = name.split("__");
    yield {
      runId,
      model: model.replace("metagen-", ""),
      task,
      outcome: outcomeOfScores(scores),
      steps: stepsOfTrajectory(trajectory),
      extra: { scores },
    };
  }
}

const lowerIsBetter = ["Time", "val_loss", "rmse"];

/** A success is a score of the agent that beats the baseline in the first metric of the task. */
function outcomeOfScores({ agent, baseline }: JsonObject): Outcome {
  const [metric, baselineScore] = Object.entries(asObject(baseline))[0] ?? [];
  if (asList(agent).length === 0) return "fail";
  if (metric === undefined || typeof baselineScore !== "number") return "unknown";
  const scores = asList(agent)
    .map((score) => asObject(score)[metric])
    .filter((score) => typeof score === "number");
  const beatsBaseline = (score: number) =>
    lowerIsBetter.includes(metric) ? score < baselineScore : score > baselineScore;
  return scores.some(beatsBaseline) ? "success" : "fail";
}

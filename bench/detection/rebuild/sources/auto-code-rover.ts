import type { Clone } from "../clone.ts";
import { issueOfTrajectory, stepsOfTrajectory } from "../formats/swe-agent.ts";
import { asList, asObject } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** SWE-agent with GPT-4 on SWE-bench Lite, run three times by the authors of AutoCodeRover. */
export const autoCodeRover: Source = {
  name: "sweagent-gpt4-swebenchlite",
  repository: "nus-apr/auto-code-rover",
  commit: "3536ac292e3062ffb3f6e98457958e2b803228d6",
  licence: "AGPL-3.0 for non-commercial use, or a commercial licence",
  readRuns,
};

const folder = "results/swe-agent-results";

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const blobs = new Map(clone.files(folder).map(({ path, blob }) => [path, blob]));
  for (const [path, blob] of blobs) {
    const [, trial, instance] = /([^/]+)\/([^/]+)\.traj$/.exec(path) ?? [];
    const runId = `${trial}/${instance}`;
    if (instance === undefined || !wanted.has(runId)) continue;
    const report = asObject(await clone.json(blobs.get(`${folder}/${trial}/final_report.json`)));
    const trajectory = await clone.object(blob);
    if (trajectory === undefined) continue;
    yield {
      runId,
      model: "gpt-4-0125-preview",
      task: `${instance}: ${issueOfTrajectory(trajectory)}`,
      outcome: asList(report["resolved"]).includes(instance) ? "success" : "fail",
      steps: stepsOfTrajectory(trajectory),
    };
  }
}

import type { Clone } from "../clone.ts";
import { issueOfTrajectory, stepsOfTrajectory } from "../formats/swe-agent.ts";
import { asList, asObject } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** SWE-agent with five models on issues of Java projects. */
export const multiSweBench: Source = {
  name: "sweagent-multi-java",
  repository: "multi-swe-bench/experiments",
  commit: "89888f1604001fcd80b0799a37af42a1bfebfd8f",
  licence: "none stated",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const blobs = new Map(clone.files("evaluation").map(({ path, blob }) => [path, blob]));
  for (const [path, blob] of blobs) {
    const [, folder, submission, instance] = /^(evaluation\/[^/]+\/[^/]+\/([^/]+))\/.*?([^/]+)\.traj$/.exec(path) ?? [];
    const runId = `${submission}/${instance}`;
    if (submission === undefined || instance === undefined || !wanted.has(runId)) continue;
    const results = asObject(await clone.json(blobs.get(`${folder}/results/results.json`)));
    const trajectory = await clone.object(blob);
    if (trajectory === undefined) continue;
    yield {
      runId,
      model: submission.replace(/^.*SWE-agent_/, ""),
      task: `${instance}: ${issueOfTrajectory(trajectory)}`,
      outcome: asList(results["resolved_ids"] ?? results["resolved"]).includes(instance) ? "success" : "fail",
      steps: stepsOfTrajectory(trajectory),
    };
  }
}

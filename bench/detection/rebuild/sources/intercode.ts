import type { Clone } from "../clone.ts";
import { outcomeOfReward } from "../formats/outcome.ts";
import { reportsShellError } from "../formats/shell-error.ts";
import { asList, asObject, asText, type JsonObject } from "../json.ts";
import type { ParsedStep } from "../parsed-run.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** InterCode: short tasks in a shell or a database. A file has all runs of a model. */
export const intercode: Source = {
  name: "intercode",
  repository: "princeton-nlp/intercode",
  commit: "c3e46d827cfc9d4c704ec078f7abf9f41e3191d8",
  licence: "MIT",
  readRuns,
};

const folder = "data/results";

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  for (const { path, blob } of clone.files(folder)) {
    const file = path.slice(folder.length + 1).replace(/\.json$/, "");
    if (!wanted.hasBelow(file)) continue;
    for (const [number, value] of Object.entries(asObject(await clone.json(blob)))) {
      const runId = `${file}/${number}`;
      if (!wanted.has(runId)) continue;
      const recording = asObject(value);
      yield {
        runId,
        model: modelOf(file),
        task: asText(recording["query"]),
        outcome: outcomeOfReward(asObject(recording["summary"])["max_reward"]),
        steps: stepsOf(recording),
      };
    }
  }
}

/** <environment>/<model>/<file>; a file without the folder of a model is of GPT-4. */
function modelOf(file: string): string {
  const [, model, name] = file.split("/");
  return name === undefined || model === undefined || name.includes("gpt-4") ? "gpt-4" : model;
}

const tools: Readonly<Record<string, string>> = { ic_bash: "bash", ic_ctf: "bash", ic_sql: "sql", ic_python: "python" };

function stepsOf(recording: JsonObject): readonly ParsedStep[] {
  const environment = asText(recording["environment"]);
  const name = tools[environment] ?? environment;
  const history = asObject(recording["turn_history"]);
  return asList(history["actions"]).map((action, index) => {
    const result = asText(asList(history["observations"])[index]);
    const isRejected = asList(history["valid_action"])[index] === false;
    const isError = isRejected || reportsShellError(result) || result.startsWith("Error executing");
    const text = asText(asList(history["thoughts"])[index]);
    return { text, calls: [{ name, args: { command: asText(action) }, result, isError }] };
  });
}

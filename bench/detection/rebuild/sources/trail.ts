import { basename } from "node:path/posix";
import type { Clone } from "../clone.ts";
import { firstAttribute, stepsOfSpans } from "../formats/agent-spans.ts";
import { asList, asObject, type Json, tryParseJson } from "../json.ts";
import type { ParsedRuns, Source, WantedIds } from "../source.ts";

/** TRAIL: OpenTelemetry traces of agents on questions of GAIA and on SWE-bench, with annotations beside them. */
export const trail: Source = {
  name: "trail",
  repository: "patronus-ai/trail-benchmark",
  commit: "0ffbed9db859b4a66250dc783fa4dccf86869595",
  licence: "MIT",
  readRuns,
};

async function* readRuns(clone: Clone, wanted: WantedIds): ParsedRuns {
  const files = clone.files("benchmarking");
  for (const { path, blob } of files) {
    const runId = `${path.includes("GAIA") ? "gaia" : "swe"}/${basename(path, ".json")}`;
    if (!path.includes("/data/") || !wanted.has(runId)) continue;
    const trace = await clone.object(blob);
    if (trace === undefined) continue;
    const spans = asList(trace["spans"]).map(asObject);
    const annotation = files.find(
      (file) => file.path.includes("processed_annotations") && basename(file.path) === basename(path),
    );
    yield {
      runId,
      model: firstAttribute(spans, "llm.model_name") ?? "?",
      task: firstAttribute(spans, "input.value") ?? "",
      outcome: "unknown",
      steps: stepsOfSpans(spans),
      extra: { scores: overallScore((await clone.text(annotation?.blob)) ?? "") },
    };
  }
}

/** The overall score of an annotation. Some annotations have a comma too many. */
function overallScore(annotation: string): Json {
  const parsed = tryParseJson(annotation) ?? tryParseJson(annotation.replace(/,(\s*[\]}])/g, "$1"));
  return asObject(asList(asObject(parsed)["scores"])[0])["overall"] ?? null;
}

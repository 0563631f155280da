import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { asObject, asText, parseJson } from "./json.ts";

/** A labelled run that has to be rebuilt. */
export interface WantedRun {
  readonly source: string;
  /** Names the run within its source. */
  readonly runId: string;
  /** The id of the run in the benchmark. */
  readonly key: string;
  /** See `runHash` in ../run-hash.ts. */
  readonly sha256: string;
}

/** The runs that have a label. */
export function readWantedRuns(): readonly WantedRun[] {
  const labels = readFileSync(fileURLToPath(new URL("../labels/labels.jsonl", import.meta.url)), "utf8");
  return labels.split("\n").filter(Boolean).map(toWantedRun);
}

function toWantedRun(line: string): WantedRun {
  const { source, runId, key, sha256 } = asObject(parseJson(line));
  return { source: asText(source), runId: asText(runId), key: asText(key), sha256: asText(sha256) };
}

import { cutText, cutTextsIn, wellFormed } from "./cut.ts";
import { type Json, type JsonObject, parseJson } from "./json.ts";

/** A run as a source recorded it, before long texts are cut. */
export interface ParsedRun {
  /** Names the run within its source. */
  readonly runId: string;
  readonly model: string;
  readonly task: string;
  readonly outcome: Outcome;
  readonly steps: readonly ParsedStep[];
  /** Further fields that this source has. */
  readonly extra?: JsonObject;
}

export type Outcome = "success" | "fail" | "unknown";

export interface ParsedStep {
  readonly text: string;
  readonly calls: readonly ParsedCall[];
  /** Whether a person wrote a message just before this step. */
  readonly isAfterUser?: boolean;
  /** Further fields that this source has. */
  readonly extra?: JsonObject;
}

export interface ParsedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly result: string;
  /** Null where the source does not say. */
  readonly isError: boolean | null;
}

const limits = { task: 1000, text: 2000, argument: 4000, result: 4000 };

/** A run in the trajectory format, as it was labelled: long texts are cut, and the key of its label is its id. */
export function toTrajectory(source: string, key: string, run: ParsedRun): JsonObject {
  const trajectory = {
    id: key,
    source,
    model: run.model,
    task: cutText(run.task, limits.task),
    outcome: run.outcome,
    ...run.extra,
    steps: run.steps.map(toStep),
    runId: run.runId,
  };
  return withoutBrokenPairs(trajectory);
}

function toStep(step: ParsedStep, turn: number): JsonObject {
  const user: JsonObject = step.isAfterUser === true ? { user: true } : {};
  return { turn, text: cutText(step.text, limits.text), calls: step.calls.map(toCall), ...user, ...step.extra };
}

function toCall({ name, args, result, isError }: ParsedCall): JsonObject {
  return { name, args: cutTextsIn(args, limits.argument), result: cutText(result, limits.result), isError };
}

function withoutBrokenPairs(run: JsonObject): JsonObject {
  const replaced = JSON.stringify(run, (_key, value: Json) => (typeof value === "string" ? wellFormed(value) : value));
  // `as`: the text of an object parses to an object.
  return parseJson(replaced) as JsonObject;
}

import { toolKinds, verdicts } from "@sheepdog/guardian";
import {
  asAmount,
  asFlag,
  asList,
  asNested,
  asNumber,
  asObject,
  asText,
  asTime,
  asTokens,
  type JsonObject,
  MalformedField,
} from "./json-fields.ts";
import { parseJson } from "./parse-json.ts";
import type {
  CountingNotes,
  RecordedCall,
  RecordedOpinion,
  RecordedPosition,
  RecordedRun,
  RecordedStatus,
  RecordedStep,
  RecordedUsage,
} from "./recorded-run.ts";

/** A run, or one sentence that says why the line holds none. */
export type ParsedRun = { readonly ok: true; readonly run: RecordedRun } | { readonly ok: false; readonly why: string };

/** Formats a run as one line of trajectory JSONL, newline included. */
export function trajectoryLine(run: RecordedRun): string {
  return `${JSON.stringify(run)}\n`;
}

/** Parses one line of trajectory JSONL. `fallbackId` is the id of a run without one. Ignores unknown fields. */
export function parseRun(line: string, fallbackId: string): ParsedRun {
  const parsed = parseJson(line);
  if (!parsed.ok)
    return { ok: false, why: `this is not JSON (${parsed.why}); every line must hold one run as a JSON object` };
  try {
    return { ok: true, run: toRun(asObject(parsed.value, "this line"), fallbackId) };
  } catch (error) {
    if (error instanceof MalformedField) return { ok: false, why: error.message };
    throw error;
  }
}

function toRun(fields: JsonObject, fallbackId: string): RecordedRun {
  const { id, source, model, provider, task, outcome, project, parent } = fields;
  return {
    id: (typeof id === "number" ? String(id) : asText(id, "id")) ?? fallbackId,
    ...optional("source", asText(source, "source")),
    ...optional("model", asText(model, "model")),
    ...optional("provider", asText(provider, "provider")),
    ...optional("task", asText(task, "task")),
    ...optional("outcome", asText(outcome, "outcome")),
    ...optional("project", asText(project, "project")),
    ...optional("parent", typeof parent === "string" ? parent : undefined),
    ...optional("isExcerpt", asTrue(fields["isExcerpt"])),
    ...optional("counting", toCounting(fields["counting"])),
    steps: asList(fields["steps"], "steps").map((step, index) => toStep(asObject(step, `steps[${index}]`), index)),
  };
}

function toStep(fields: JsonObject, index: number): RecordedStep {
  const path = `steps[${index}]`;
  const calls = asList(fields["calls"] ?? [], `${path}.calls`);
  return {
    turn: asNumber(fields["turn"], `${path}.turn`) ?? index,
    text: asText(fields["text"], `${path}.text`) ?? "",
    ...(asFlag(fields["user"], `${path}.user`) === true ? { user: true as const } : {}),
    ...optional("prompt", asText(fields["prompt"], `${path}.prompt`)),
    ...(asFlag(fields["assigned"], `${path}.assigned`) === true ? { assigned: true as const } : {}),
    ...(asFlag(fields["compacted"], `${path}.compacted`) === true ? { compacted: true as const } : {}),
    ...optional("agent", asText(fields["agent"], `${path}.agent`)),
    ...optional("model", asText(fields["model"], `${path}.model`)),
    ...optional("at", asTime(fields["at"], `${path}.at`)),
    ...optional("usage", toUsage(fields["usage"], `${path}.usage`)),
    ...optional("copyKey", asRequest(fields["copyKey"])),
    ...optional("opinions", toOpinions(fields["opinions"], `${path}.opinions`)),
    calls: calls.map((call, callIndex) => toCall(call, `${path}.calls[${callIndex}]`)),
    ...optional("position", toPosition(fields["position"], `${path}.position`)),
  };
}

function toOpinions(value: unknown, path: string): readonly RecordedOpinion[] | undefined {
  if (value === undefined || value === null) return undefined;
  return asList(value, path).map((each, index) => toOpinion(asObject(each, `${path}[${index}]`), `${path}[${index}]`));
}

function toOpinion(fields: JsonObject, path: string): RecordedOpinion {
  const request = asText(fields["request"], `${path}.request`);
  const verdict = verdicts.find((name) => name === fields["verdict"]);
  if (request === undefined) throw new MalformedField(`${path}.request is missing; it must be the id of the request`);
  if (verdict === undefined) throw new MalformedField(`${path}.verdict must be one of ${verdicts.join(", ")}`);
  return { request, verdict, ...optional("advice", asText(fields["advice"], `${path}.advice`)) };
}

function toUsage(value: unknown, path: string): RecordedUsage | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = asObject(value, path);
  const cacheReadTokens = asTokens(fields["cacheReadTokens"]);
  const cacheWriteTokens = asTokens(fields["cacheWriteTokens"]);
  const cachedTokens = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  return {
    ...optional("inputTokens", asTokens(fields["inputTokens"]) ?? (cachedTokens || undefined)),
    ...optional("cacheReadTokens", cacheReadTokens),
    ...optional("cacheWriteTokens", cacheWriteTokens),
    ...optional("cacheWrite1hTokens", asTokens(fields["cacheWrite1hTokens"])),
    ...optional("outputTokens", asTokens(fields["outputTokens"])),
    ...optional("costUsd", asAmount(fields["costUsd"])),
    ...optional("isPriced", asTrue(fields["isPriced"])),
    ...optional("isFast", asTrue(fields["isFast"])),
    ...optional("isUsOnly", asTrue(fields["isUsOnly"])),
    ...optional(
      "serviceTier",
      serviceTiers.find((tier) => tier === fields["serviceTier"]),
    ),
    ...optional("webSearches", asAmount(fields["webSearches"])),
    ...optional("isSum", asTrue(fields["isSum"])),
    ...optional("request", asRequest(fields["request"])),
  };
}

/** Shorter ids are numbers within a run rather than names that are unique in all files. */
const MIN_REQUEST_CHARS = 8;

function asRequest(value: unknown): string | undefined {
  return typeof value === "string" && value.length >= MIN_REQUEST_CHARS ? value : undefined;
}

const serviceTiers = ["batch", "priority"] as const;

/** A flag that is present or not. */
function asTrue(value: unknown): true | undefined {
  return value === true ? true : undefined;
}

function toCall(value: unknown, path: string): RecordedCall {
  const fields = asObject(value, path);
  const name = asText(fields["name"], `${path}.name`);
  if (name === undefined) throw new MalformedField(`${path}.name is missing; it must be the name of the tool`);
  return {
    name,
    args: asNested(fields["args"] ?? null),
    result: asNested(fields["result"] ?? null),
    ...(asFlag(fields["isResultUnknown"], `${path}.isResultUnknown`) === true
      ? { isResultUnknown: true as const }
      : {}),
    isError: asFlag(fields["isError"], `${path}.isError`),
    ...optional(
      "status",
      statuses.find((status) => status === fields["status"]),
    ),
    ...optional(
      "kind",
      toolKinds.find((kind) => kind === fields["kind"]),
    ),
    ...optional("at", asTime(fields["at"], `${path}.at`)),
    ...optional("endedAt", asTime(fields["endedAt"], `${path}.endedAt`)),
    ...optional("child", asText(fields["child"], `${path}.child`)),
    ...optional("childTokens", asTokens(fields["childTokens"])),
    ...optional("position", toPosition(fields["position"], `${path}.position`)),
  };
}

const statuses: readonly RecordedStatus[] = ["denied", "timeout", "interrupted", "unknown-tool", "invalid-arguments"];

function toPosition(value: unknown, path: string): RecordedPosition | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = asObject(value, path);
  return {
    ...optional("file", asText(fields["file"], `${path}.file`)),
    ...optional("line", asNumber(fields["line"], `${path}.line`)),
    ...optional("entry", asText(fields["entry"], `${path}.entry`)),
  };
}

const countingKeys = [
  ...(["repeatedUsage", "copiedRequests", "rewoundMessages", "syntheticReplies", "withoutUsage"] as const),
  ...(["partialOutput", "ambiguousResults", "pricedAsOrdinary", "pricedAsSmall"] as const),
];

function toCounting(value: unknown): CountingNotes | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = asObject(value, "counting");
  return Object.assign({}, ...countingKeys.map((key) => optional(key, asAmount(fields[key]))));
}

/** An object with this one key, or without any key when the value is undefined. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // a computed key has type string
}

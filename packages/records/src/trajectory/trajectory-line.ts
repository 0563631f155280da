import { verdicts } from "@sheepdog/guardian";
import {
  asAmount,
  asFlag,
  asList,
  asNested,
  asNumber,
  asObject,
  asText,
  asTime,
  type JsonObject,
  MalformedField,
} from "./json-fields.ts";
import type { RecordedCall, RecordedOpinion, RecordedRun, RecordedStep, RecordedUsage } from "./recorded-run.ts";

/** A run, or one sentence that says why the line holds none. */
export type ParsedRun = { readonly ok: true; readonly run: RecordedRun } | { readonly ok: false; readonly why: string };

/** Formats a run as one line of trajectory JSONL, newline included. */
export function trajectoryLine(run: RecordedRun): string {
  return `${JSON.stringify(run)}\n`;
}

/** Parses one line of trajectory JSONL. `fallbackId` is the id of a run without one. Ignores unknown fields. */
export function parseRun(line: string, fallbackId: string): ParsedRun {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const reason = describeSyntaxError(error);
    return { ok: false, why: `this is not JSON (${reason}); every line must hold one run as a JSON object` };
  }
  try {
    return { ok: true, run: toRun(asObject(value, "this line"), fallbackId) };
  } catch (error) {
    if (error instanceof MalformedField) return { ok: false, why: error.message };
    throw error;
  }
}

/** Says where the JSON breaks, without a quote: a recording may hold secrets. */
function describeSyntaxError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position \d+/.exec(message)?.[0];
  if (position !== undefined) return `it breaks at ${position}`;
  return /end of JSON/.test(message) ? "it ends too early" : "it does not begin like a value";
}

function toRun(fields: JsonObject, fallbackId: string): RecordedRun {
  if (isSessionEvent(fields)) throw new MalformedField(isSheepdogEvent(fields) ? SHEEPDOG_EVENT : SESSION_EVENT);
  const { id, source, model, task, outcome } = fields;
  return {
    id: (typeof id === "number" ? String(id) : asText(id, "id")) ?? fallbackId,
    ...optional("source", asText(source, "source")),
    ...optional("model", asText(model, "model")),
    ...optional("task", asText(task, "task")),
    ...optional("outcome", asText(outcome, "outcome")),
    steps: asList(fields["steps"], "steps").map((step, index) => toStep(asObject(step, `steps[${index}]`), index)),
  };
}

const SESSION_EVENT =
  "this looks like one event of a session log, as Claude Code writes them; only trajectory JSONL can be read, " +
  "one run per line, an object with its steps";

const SHEEPDOG_EVENT =
  "this is an event of Sheepdog's own run log, which \"sheepdog show\" with the run's id prints; " +
  "only trajectory JSONL can be read, one run per line, an object with its steps";

/** Session logs hold one event per line, each with a `type`; a run is spread over many lines. */
function isSessionEvent(fields: JsonObject): boolean {
  return fields["steps"] === undefined && typeof fields["type"] === "string";
}

function isSheepdogEvent({ runId, seq }: JsonObject): boolean {
  return typeof runId === "string" && runId.startsWith("run_") && typeof seq === "number";
}

function toStep(fields: JsonObject, index: number): RecordedStep {
  const path = `steps[${index}]`;
  const calls = asList(fields["calls"] ?? [], `${path}.calls`);
  return {
    turn: asNumber(fields["turn"], `${path}.turn`) ?? index,
    text: asText(fields["text"], `${path}.text`) ?? "",
    ...(asFlag(fields["user"], `${path}.user`) === true ? { user: true as const } : {}),
    ...optional("agent", asText(fields["agent"], `${path}.agent`)),
    ...optional("at", asTime(fields["at"], `${path}.at`)),
    ...optional("usage", toUsage(fields["usage"], `${path}.usage`)),
    ...optional("opinions", toOpinions(fields["opinions"], `${path}.opinions`)),
    calls: calls.map((call, callIndex) => toCall(call, `${path}.calls[${callIndex}]`)),
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
  return {
    ...optional("inputTokens", asAmount(fields["inputTokens"])),
    ...optional("outputTokens", asAmount(fields["outputTokens"])),
    ...optional("costUsd", asAmount(fields["costUsd"])),
  };
}

function toCall(value: unknown, path: string): RecordedCall {
  const fields = asObject(value, path);
  const name = asText(fields["name"], `${path}.name`);
  if (name === undefined) throw new MalformedField(`${path}.name is missing; it must be the name of the tool`);
  return {
    name,
    args: asNested(fields["args"] ?? null),
    result: asNested(fields["result"] ?? null),
    isError: asFlag(fields["isError"], `${path}.isError`),
    ...optional("at", asTime(fields["at"], `${path}.at`)),
  };
}

/** An object with this one key, or without any key when the value is undefined. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // a computed key has type string
}

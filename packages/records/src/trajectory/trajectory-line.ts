import { asAmount, asFlag, asList, asNumber, asObject, asText, asTime, type Fields, Malformed } from "./json-fields.ts";
import type { RecordedCall, RecordedRun, RecordedStep, RecordedUsage } from "./recorded-run.ts";

/** A run, or one sentence about why the text is none. */
export type ParsedRun = { readonly ok: true; readonly run: RecordedRun } | { readonly ok: false; readonly why: string };

/** Reads one line of trajectory JSONL. `fallbackId` names a run that has no id of its own. Fields it does not know are ignored. */
export function parseRun(line: string, fallbackId: string): ParsedRun {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return {
      ok: false,
      why: `this is not JSON (${whereBroken(error)}); every line must hold one run as a JSON object`,
    };
  }
  try {
    return { ok: true, run: toRun(asObject(value, "this line"), fallbackId) };
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, why: error.message };
    throw error;
  }
}

/** Where the JSON breaks off, without quoting from it: recordings may hold anything. */
function whereBroken(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position \d+/.exec(message)?.[0];
  if (position !== undefined) return `it breaks at ${position}`;
  return /end of JSON/.test(message) ? "it ends too early" : "it does not begin like a value";
}

function toRun(fields: Fields, fallbackId: string): RecordedRun {
  if (isEvent(fields)) throw new Malformed(isOwnEvent(fields) ? OWN_EVENT : EVENT);
  const { id, source, model, task, outcome } = fields;
  return {
    id: (typeof id === "number" ? String(id) : asText(id, "id")) ?? fallbackId,
    ...present("source", asText(source, "source")),
    ...present("model", asText(model, "model")),
    ...present("task", asText(task, "task")),
    ...present("outcome", asText(outcome, "outcome")),
    steps: asList(fields["steps"], "steps").map((step, index) => toStep(asObject(step, `steps[${index}]`), index)),
  };
}

const EVENT =
  "this looks like one event of a session log, as Claude Code writes them; that format is not read yet, only trajectory JSONL is: one run a line, an object with its steps";

const OWN_EVENT = `this is an event of Sheepdog's own run log: "sheepdog show" with the run's id tells of it; read is trajectory JSONL, one run a line, an object with its steps`;

/** Session logs have an object of some `type` a line, and the run is spread over many. */
function isEvent(fields: Fields): boolean {
  return fields["steps"] === undefined && typeof fields["type"] === "string";
}

function isOwnEvent({ runId, seq }: Fields): boolean {
  return typeof runId === "string" && runId.startsWith("run_") && typeof seq === "number";
}

function toStep(fields: Fields, index: number): RecordedStep {
  const path = `steps[${index}]`;
  const calls = fields["calls"] ?? [];
  return {
    turn: asNumber(fields["turn"], `${path}.turn`) ?? index,
    text: asText(fields["text"], `${path}.text`) ?? "",
    ...(asFlag(fields["user"], `${path}.user`) === true ? { user: true as const } : {}),
    ...present("agent", asText(fields["agent"], `${path}.agent`)),
    ...present("at", asTime(fields["at"], `${path}.at`)),
    ...present("usage", toUsage(fields["usage"], `${path}.usage`)),
    calls: asList(calls, `${path}.calls`).map((call, place) => toCall(call, `${path}.calls[${place}]`)),
  };
}

function toUsage(value: unknown, path: string): RecordedUsage | undefined {
  if (value === undefined || value === null) return undefined;
  const fields = asObject(value, path);
  return {
    ...present("inputTokens", asAmount(fields["inputTokens"])),
    ...present("outputTokens", asAmount(fields["outputTokens"])),
    ...present("costUsd", asAmount(fields["costUsd"])),
  };
}

function toCall(value: unknown, path: string): RecordedCall {
  const fields = asObject(value, path);
  const name = asText(fields["name"], `${path}.name`);
  if (name === undefined) throw new Malformed(`${path}.name is missing; it must be the name of the tool`);
  return {
    name,
    args: fields["args"] ?? null,
    result: fields["result"] ?? null,
    isError: asFlag(fields["isError"], `${path}.isError`),
    ...present("at", asTime(fields["at"], `${path}.at`)),
  };
}

/** The field, or nothing: an absent value leaves no key behind. */
function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // a computed key loses its literal type
}

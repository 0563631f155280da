import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedPosition, RecordedStatus, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { clipText, clipValue } from "../clip.ts";
import { listField, objectField, optional, statusField, textField } from "../fields.ts";
import { type Attributes, attributeOf, readAttributes, textOf } from "./attributes.ts";
import { type RequestContent, requestContent } from "./messages.ts";
import type { RawSpan } from "./raw-span.ts";
import { type Operation, operationOf, toolNameOf } from "./span-operation.ts";
import { spanTime } from "./span-time.ts";
import { spanUsage } from "./span-usage.ts";

/** What is kept of a span: its place in the trace, and what it says about a run. */
export interface Span {
  /** Unique within a file. */
  readonly key: string;
  readonly parent: string | undefined;
  readonly trace: string;
  readonly at: number | undefined;
  readonly operation: Operation;
  /** The agent that recorded it. */
  readonly source: string;
  readonly names: SpanNames;
  /** Why it failed; undefined if it did not. */
  readonly failure: string | undefined;
  readonly usage?: RecordedUsage;
  readonly content?: RequestContent;
  readonly call?: SpanCall;
  readonly events: readonly SpanEvent[];
  /** Whether a person wrote the prompt of this request. */
  readonly isPrompted: boolean;
  readonly position: RecordedPosition;
}

interface SpanNames {
  readonly run: string | undefined;
  readonly conversation: string | undefined;
  /** Of a subagent of Claude Code. */
  readonly agentId: string | undefined;
  readonly parentAgentId: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly outcome: string | undefined;
  /** Why Sheepdog sent this request, if not for a turn. */
  readonly purpose: string | undefined;
}

export interface SpanCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly result: unknown;
  readonly status: RecordedStatus | undefined;
  /** What went wrong, in the words of the program that recorded the call. */
  readonly failureText?: string;
}

export interface SpanEvent {
  readonly name: string;
  readonly at: number | undefined;
  readonly attributes: Attributes;
}

/** Reads a span; long texts are clipped. */
export function readSpan({ span, resource }: RawSpan, position: RecordedPosition): Span {
  const attributes = readAttributes(span["attributes"]);
  const context = objectField(span["context"]);
  const trace = textField(span["traceId"]) ?? textField(context["trace_id"]) ?? "";
  const id = textField(span["spanId"]) ?? textField(context["span_id"]) ?? "";
  const parentId = textField(span["parentSpanId"]) ?? textField(span["parent_id"]);
  const name = textField(span["name"]) ?? "";
  const operation = operationOf(name, attributes);
  const request = requestOf(attributes) ?? id;
  const isTool = operation === "tool";
  return {
    key: `${trace}/${id}`,
    parent: parentId === undefined ? undefined : `${trace}/${parentId}`,
    trace,
    at: spanTime(span),
    operation,
    source: sourceOf(name, attributes, resource),
    names: namesOf(attributes),
    failure: failureOf(span, attributes),
    ...optional("usage", isTool ? undefined : spanUsage(attributes, `otel/${request}`)),
    ...(isTool || operation === "other" ? {} : { content: clipped(requestContent(attributes)) }),
    ...(isTool ? { call: { ...callOf(id, name, attributes), ...optional("failureText", failureText(span)) } } : {}),
    events: listField(span["events"]).flatMap(eventOf),
    isPrompted: attributes.get("github.copilot.initiator") === "user",
    position,
  };
}

/** The id of the request, unless a filter has put a word in its place: then all requests would have the same one. */
function requestOf(attributes: Attributes): string | undefined {
  const id = textOf(attributes, ["request_id", "gen_ai.response.id"]);
  return id === undefined || /[[<*]|redacted/i.test(id) ? undefined : id;
}

function namesOf(attributes: Attributes): SpanNames {
  const text = (...names: readonly string[]) => textOf(attributes, names);
  const purpose = text("sheepdog.request.purpose");
  return {
    run: text("sheepdog.run.id"),
    conversation: text("gen_ai.conversation.id", "session.id", "conversation.id", "session_id"),
    agentId: text("agent_id"),
    parentAgentId: text("parent_agent_id"),
    agent: text("gen_ai.agent.name", "agent_name"),
    model: text("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id", "model"),
    provider: text("gen_ai.provider.name", "gen_ai.system", "llm.provider", "ai.model.provider"),
    outcome: text("sheepdog.run.reason"),
    purpose: purpose === "turn" ? undefined : purpose,
  };
}

function sourceOf(name: string, attributes: Attributes, resource: JsonObject): string {
  const service = textOf(readAttributes(resource["attributes"]), ["service.name"]) ?? "";
  if (name.startsWith("claude_code.")) return "claude-code";
  if (/copilot/i.test(service)) return "copilot";
  return [...attributes.keys()].some((key) => key.startsWith("sheepdog.")) ? "sheepdog" : "opentelemetry";
}

const failedCodes: ReadonlySet<unknown> = new Set([2, "2", "ERROR", "STATUS_CODE_ERROR"]);

function failureOf(span: JsonObject, attributes: Attributes): string | undefined {
  const status = objectField(span["status"]);
  const type = textOf(attributes, ["error.type", "error_type"]);
  const hasFailed = failedCodes.has(status["code"]) || failedCodes.has(status["status_code"]);
  return type ?? (hasFailed || /^false$/.test(String(attributes.get("success"))) ? "error" : undefined);
}

const argumentNames = [
  ...["gen_ai.tool.call.arguments", "gen_ai.tool.arguments", "gen_ai.tool.input", "ai.toolCall.args", "tool_input"],
  ...["tool_arguments", "tool_parameters", "input.value", "traceloop.entity.input", "full_command", "file_path"],
];
const resultNames = [
  ...["gen_ai.tool.call.result", "gen_ai.tool.output", "gen_ai.tool.result", "ai.toolCall.result", "tool_response"],
  ...["output.value", "traceloop.entity.output", "error"],
];

function callOf(spanId: string, spanName: string, attributes: Attributes): SpanCall {
  const args = attributeOf(attributes, argumentNames);
  const parsed =
    typeof args === "string" && /^\s*[[{]/.test(args) ? parseJson(args) : { ok: true as const, value: args };
  const result = attributeOf(attributes, resultNames);
  const status = textOf(attributes, ["sheepdog.tool.status", "error.type"]);
  return {
    id: textOf(attributes, ["gen_ai.tool.call.id", "ai.toolCall.id", "tool_use_id", "tool_call.id"]) ?? spanId,
    name: toolNameOf(spanName, attributes),
    args: parsed.ok ? parsed.value : args,
    result: clipValue(result),
    status: isRejected(attributes) ? "denied" : statusField(status),
  };
}

/** What went wrong in a call without a result. */
function failureText(span: JsonObject): string | undefined {
  const { message } = objectField(span["status"]);
  const events = listField(span["events"]).map(objectField);
  const messages = events.map((event) => textOf(readAttributes(event["attributes"]), ["exception.message"]));
  return textField(message) ?? messages.find((text) => text !== undefined);
}

/** Whether Claude Code recorded that a person or a rule refused the call. */
function isRejected(attributes: Attributes): boolean {
  return attributes.get("decision") === "reject" || attributes.get("decision_type") === "reject";
}

function eventOf(event: unknown): readonly SpanEvent[] {
  if (!isObject(event)) return [];
  const name = textField(event["name"]);
  if (name === undefined) return [];
  return [{ name, at: spanTime(event), attributes: readAttributes(event["attributes"]) }];
}

/** Each request has the whole history: only what is needed of it is kept. */
function clipped({ text, prompt, calls, results, newPrompt, endsWithPrompt }: RequestContent): RequestContent {
  return {
    text: clipText(text),
    prompt: prompt === undefined ? undefined : clipText(prompt),
    newPrompt: newPrompt === undefined ? undefined : clipText(newPrompt),
    calls: calls.map((call) => ({ ...call, args: clipValue(call.args) })),
    results: results.map((each) => ({ ...each, result: clipValue(each.result) })),
    endsWithPrompt,
  };
}

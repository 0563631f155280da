import { asList, asObject, asText, type JsonObject, tryParseJson } from "../json.ts";
import type { ParsedCall, ParsedStep } from "../parsed-run.ts";
import { toArguments } from "./arguments.ts";
import { reportsShellError } from "./shell-error.ts";

/** The steps of a tree of spans as smolagents records it: agents have the span of a run, and that has steps. */
export function stepsOfSpans(spans: readonly JsonObject[]): readonly ParsedStep[] {
  return stepsBelow({ child_spans: spans }, "");
}

/** The first text that an attribute has in the spans and the spans below them. */
export function firstAttribute(spans: readonly JsonObject[], name: string): string | undefined {
  for (const span of spans) {
    const value = asText(attributesOf(span)[name]) || firstAttribute(childrenOf(span), name);
    if (value) return value;
  }
  return undefined;
}

/** The steps below a span that is no step itself. The span `<agent>.run` names the agent. */
function stepsBelow(span: JsonObject, agentAbove: string): readonly ParsedStep[] {
  const name = asText(span["span_name"]);
  const agent = name.endsWith(".run") ? name.slice(0, -".run".length) : agentAbove;
  return inOrderOfTime(childrenOf(span)).flatMap((child) =>
    asText(child["span_name"]).startsWith("Step ") ? stepsFrom(child, agent) : stepsBelow(child, agent),
  );
}

/** The step of a span, then the steps of agents that it started. */
function stepsFrom(span: JsonObject, agent: string): readonly ParsedStep[] {
  const children = inOrderOfTime(childrenOf(span));
  const text = replyOf(children);
  const [, code] = /```(?:py|python)?\n([\s\S]*?)```/.exec(text) ?? [];
  const calls = code !== undefined && agent.startsWith("Code") ? [codeCall(span, code)] : toolCalls(span, children);
  const startedAgents = children.filter((child) => ["AGENT", "CHAIN"].includes(kindOf(child)));
  const step = { text, calls, extra: { agent, span: span["span_id"] ?? null } };
  return [step, ...startedAgents.flatMap((child) => stepsBelow(child, ""))];
}

/** The last reply of a model that has a text. */
function replyOf(children: readonly JsonObject[]): string {
  const replies = children
    .filter((child) => kindOf(child) === "LLM")
    .map((child) => {
      const attributes = attributesOf(child);
      const output = asObject(tryParseJson(asText(attributes["output.value"])));
      return asText(attributes["llm.output_messages.0.message.content"]) || asText(output["content"]);
    });
  return replies.findLast((reply) => reply !== "") ?? "";
}

/** The agent wrote code; the step has its output. */
function codeCall(span: JsonObject, code: string): ParsedCall {
  const output = outputOf(span);
  return {
    name: "python_interpreter",
    args: { code },
    result: isFailed(span) ? `${output}\n${errorOf(span)}` : output,
    isError: isFailed(span) || reportsShellError(output),
  };
}

function toolCalls(span: JsonObject, children: readonly JsonObject[]): readonly ParsedCall[] {
  const tools = children.filter((child) => kindOf(child) === "TOOL");
  if (tools.length === 0 && isFailed(span)) return rejectedCall(span, children);
  return tools.map((tool) => toolCall(tool, outputOf(span)));
}

/** A tool without output of its own has the output of its step. */
function toolCall(tool: JsonObject, outputOfStep: string): ParsedCall {
  const attributes = attributesOf(tool);
  const input = asObject(tryParseJson(asText(attributes["input.value"])));
  const unnamed: JsonObject = asList(input["args"]).length > 0 ? { _args: input["args"] ?? null } : {};
  const output = outputOf(tool);
  const failure = [output, errorOf(tool)].filter(Boolean).join("\n");
  return {
    name: asText(attributes["tool.name"]) || asText(tool["span_name"]),
    args: { ...asObject(input["kwargs"]), ...unnamed },
    result: isFailed(tool) ? failure : output || outputOfStep,
    isError: isFailed(tool),
  };
}

/** A call that failed before its tool ran has no span. The model's message has its name and arguments. */
function rejectedCall(span: JsonObject, children: readonly JsonObject[]): readonly ParsedCall[] {
  const model = children.find((child) => kindOf(child) === "LLM") ?? {};
  const attributes = attributesOf(model);
  const toolCallPrefix = "llm.output_messages.0.message.tool_calls.0.tool_call.function";
  const name = asText(attributes[`${toolCallPrefix}.name`]);
  if (name === "") return [];
  return [{ name, args: toArguments(attributes[`${toolCallPrefix}.arguments`]), result: errorOf(span), isError: true }];
}

function childrenOf(span: JsonObject): readonly JsonObject[] {
  return asList(span["child_spans"]).map(asObject);
}

function inOrderOfTime(spans: readonly JsonObject[]): readonly JsonObject[] {
  const time = (span: JsonObject) => asText(span["timestamp"]);
  return spans.toSorted((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0));
}

function attributesOf(span: JsonObject): JsonObject {
  return asObject(span["span_attributes"]);
}

function kindOf(span: JsonObject): string {
  return asText(attributesOf(span)["openinference.span.kind"]);
}

function outputOf(span: JsonObject): string {
  return asText(attributesOf(span)["output.value"]);
}

function isFailed(span: JsonObject): boolean {
  return span["status_code"] === "Error";
}

function errorOf(span: JsonObject): string {
  return `ERROR: ${asText(span["status_message"])}`;
}

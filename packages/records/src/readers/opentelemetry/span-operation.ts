import { type Attributes, textOf } from "./attributes.ts";

/** What a span stands for in a run. */
export type Operation = "agent" | "request" | "tool" | "other";

const operations: Readonly<Record<string, Operation>> = {
  invoke_agent: "agent",
  chat: "request",
  generate_content: "request",
  text_completion: "request",
  completion: "request",
  execute_tool: "tool",
  // Claude Code
  "claude_code.interaction": "agent",
  "claude_code.llm_request": "request",
  "claude_code.tool": "tool",
  // OpenLLMetry
  agent: "agent",
  tool: "tool",
  // OpenInference
  AGENT: "agent",
  LLM: "request",
  TOOL: "tool",
  // AI SDK
  "ai.generateText.doGenerate": "request",
  "ai.streamText.doStream": "request",
  "ai.generateObject.doGenerate": "request",
  "ai.generateText": "agent",
  "ai.streamText": "agent",
  "ai.toolCall": "tool",
};

const operationNames = ["gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "llm.request.type"];

/** The operation, by the attributes of the conventions and of older instrumentations, else by the name of the span. */
export function operationOf(name: string, attributes: Attributes): Operation {
  const vendor = operations[textOf(attributes, ["ai.operationId"]) ?? name];
  if (vendor !== undefined) return vendor;
  const operation = textOf(attributes, operationNames);
  if (operation !== undefined) return operations[operation] ?? "other";
  const [word = ""] = name.split(" ");
  return name.includes(" ") ? (operations[word] ?? "other") : "other";
}

const toolNames = [...["gen_ai.tool.name", "ai.toolCall.name", "tool_name", "tool.name", "traceloop.entity.name"]];

/** The name of a tool; without one, what the name of the span says. */
export function toolNameOf(spanName: string, attributes: Attributes): string {
  return textOf(attributes, toolNames) ?? (spanName.replace(/^execute_tool\s+/, "") || "unknown tool");
}

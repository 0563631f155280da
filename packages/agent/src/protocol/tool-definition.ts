import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";

/** A tool as it is described to a model. */
export type ToolDefinition = Pick<LanguageModelV3FunctionTool, "name" | "description" | "inputSchema">;

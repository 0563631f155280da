import type { JsonObject } from "../json.ts";

/** The argument of an agent of Magentic-One: the action its report begins with, or the orchestrator's instruction. */
export function surferArguments(agent: string, report: string, instruction: string): JsonObject {
  const [firstLine = ""] = report.trim().split("\n");
  return agent === "WebSurfer" && firstLine.startsWith("I ") ? { action: firstLine } : { instruction };
}

import type { Tool } from "./tool.ts";

/** A tool whose `run` and `touches` get the input as its schema gives it. */
export function defineTool<Input>(tool: Tool<Input>): Tool {
  return tool;
}

import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";

/** Limits of a subagent. Absent: those of its parent. */
export interface SpawnOptions {
  readonly tools?: readonly string[];
  readonly maxTurns?: number;
}

/** Runs a task in a subagent and returns its report. */
export type Spawn = (task: string, options: SpawnOptions, context: ToolContext) => Promise<ToolOutcome>;

const input = z.strictObject({
  task: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe(
      "The whole task. The subagent does not see this conversation: say what to do, where, and what to report.",
    ),
  tools: z.array(z.string().min(1).max(64)).max(100).optional().describe("The only tools it may use."),
  maxTurns: z.int().min(1).max(200).optional().describe("The maximum number of its turns."),
});

/** Gives a task to a subagent. */
export function spawnTool(spawn: Spawn): Tool {
  return defineTool({
    name: "spawn",
    origin: "builtin",
    description:
      "Gives a task to a subagent with a fresh context and waits for its report. " +
      "For a part of the work that stands on its own; several subagents can work at once. They share your budget.",
    input,
    kind: "unknown",
    timeoutMs: Number.POSITIVE_INFINITY, // the subagent's run has its own limits
    run: ({ task, tools, maxTurns }, context) =>
      spawn(
        task,
        { ...(tools === undefined ? {} : { tools }), ...(maxTurns === undefined ? {} : { maxTurns }) },
        context,
      ),
  });
}

import type { McpServer } from "@modelcontextprotocol/server";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { z } from "zod";
import { analyzeRecordings, showBudgets } from "./look-back-tools.ts";
import { resumeOwnRun, startOwnRun, steerOwnRun, stopOwnRun } from "./run-tools.ts";
import { ToolRefusal, type ToolServer } from "./tool-server.ts";
import { listVisibleRuns, showVisibleRun, watchVisibleRun } from "./watch-tools.ts";

const runId = z.string().min(1).max(128).describe("The id of a run or of its session, as start_run returns it.");
const maxWaitSecs = 50;

/** Adds the tools that the options allow. */
export function addTools(mcp: McpServer, server: ToolServer): void {
  const reading = { readOnlyHint: true, openWorldHint: false } as const;
  const changing = { readOnlyHint: false, destructiveHint: true, openWorldHint: true } as const;

  function add<S extends z.ZodObject>(
    name: string,
    description: string,
    { input, annotations }: { readonly input: S; readonly annotations: typeof reading | typeof changing },
    run: (input: z.output<S>, signal: AbortSignal) => Promise<unknown>,
  ): void {
    const config = { description, inputSchema: input as z.ZodObject, annotations };
    // The SDK has checked the arguments with this schema.
    mcp.registerTool(name, config, (args, { mcpReq }) => answer(() => run(args as z.output<S>, mcpReq.signal)));
  }

  add(
    "list_runs",
    "Lists the newest runs, with their states and costs.",
    {
      input: z.object({
        limit: z.int().min(1).max(100).default(20),
        live_only: z.boolean().default(false).describe("Only runs that are running or waiting."),
      }),
      annotations: reading,
    },
    (input) => listVisibleRuns(server, input),
  );
  add(
    "show_run",
    "Shows a run: how it ended, what it cost, its answer, and the newest steps of its timeline.",
    { input: z.object({ run_id: runId, steps: z.int().min(0).max(100).default(20) }), annotations: reading },
    ({ run_id, steps }) => showVisibleRun(server, run_id, steps),
  );
  add(
    "watch_run",
    "Waits until a run has made a step or has ended, and returns what is new. Call it again with `next` as `after`.",
    {
      input: z.object({
        run_id: runId,
        after: z.int().min(0).default(0),
        wait_secs: z.number().min(0).max(maxWaitSecs).default(30),
      }),
      annotations: reading,
    },
    (input, signal) => watchVisibleRun(server, input, signal),
  );
  add(
    "analyze",
    "Reads recordings of agents (trajectory JSONL) and says where they were stuck and what that cost.",
    {
      input: z.object({ path: z.string().describe("A file or folder, absolute or relative to the root; `.` is all.") }),
      annotations: reading,
    },
    ({ path }, signal) => analyzeRecordings(server, path, signal),
  );
  add(
    "budgets",
    "Shows the limits of money, and what is spent of them.",
    { input: z.object({}), annotations: reading },
    () => showBudgets(server),
  );
  if (server.isReadOnly) return;
  add(
    "start_run",
    "Starts an agent on a task in a folder, and returns at once. The run has the limits and permissions of the user.",
    {
      input: z.object({
        prompt: z.string().min(1).max(100_000).describe("The task."),
        folder: z
          .string()
          .optional()
          .describe("Where it works, absolute or relative to the root. Default: the root, if there is only one."),
        goal: z.string().min(1).max(10_000).optional().describe("What must be true at the end, in a sentence."),
        max_cost_usd: z.number().positive().optional().describe("At most as much as the user allows."),
        max_turns: z.int().min(1).optional(),
      }),
      annotations: changing,
    },
    (input) => startOwnRun(server, input),
  );
  add(
    "steer_run",
    "Sends a message to the agent of a run that was started here. It reads it before its next turn.",
    { input: z.object({ run_id: runId, message: z.string().min(1).max(20_000) }), annotations: changing },
    ({ run_id, message }) => steerOwnRun(server, run_id, message),
  );
  add(
    "stop_run",
    "Stops a run that was started here. What it has done stays, and it can be resumed.",
    { input: z.object({ run_id: runId }), annotations: changing },
    ({ run_id }) => stopOwnRun(server, run_id),
  );
  add(
    "resume_run",
    "Continues a run that was started here and stopped, under the same limits.",
    { input: z.object({ run_id: runId }), annotations: changing },
    ({ run_id }) => resumeOwnRun(server, run_id),
  );
}

interface ToolAnswer {
  [key: string]: unknown;
  content: { type: "text"; text: string }[];
  isError?: boolean;
}

/** A document as text, or a refusal as an error that the other agent can read. Secrets are removed. */
async function answer(run: () => Promise<unknown>): Promise<ToolAnswer> {
  try {
    return { content: [{ type: "text", text: redactSecrets(JSON.stringify(await run(), undefined, 1)) }] };
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    return { isError: true, content: [{ type: "text", text: redactSecrets(error.message) }] };
  }
}

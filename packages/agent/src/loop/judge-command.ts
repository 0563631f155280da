import type { CommandResult } from "../goals/judge.ts";
import { MAX_TIMER_SECS } from "../protocol/settings.ts";
import { bashTool } from "../tools/bash-tool.ts";
import { plainText } from "../tools/plain-text.ts";
import { runTool } from "../tools/run-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";

/** The last lines of a command's output that a judge sees. */
const MAX_LINES = 20;
const MAX_CHARS = 2_000;
/** How much longer the tool has than its command, to end the processes. */
const END_MS = 15_000;

/** Runs a command of a goal as the tool `bash` of the run does: same sandbox, environment and end of its processes. */
export async function runJudgeCommand(
  { setup, guard }: Pick<AgentRun, "setup" | "guard">,
  {
    command,
    timeoutSecs,
    signal,
  }: { readonly command: string; readonly timeoutSecs?: number; readonly signal: AbortSignal },
): Promise<CommandResult> {
  const { clock, redact, settings, sessionId, runId, workspace } = setup;
  const timeoutMs = (timeoutSecs ?? settings.toolTimeoutSecs) * 1_000;
  const startedAt = clock.now();
  guard.observe({ type: "waiting", for: "tool" });
  const call = { type: "call", id: clock.newId("call"), tool: "bash", input: { command } } as const;
  const outcome = await runTool(
    { call, tool: withTimeout(shellOf(setup), Math.min(timeoutMs + END_MS, MAX_TIMER_SECS * 1_000)) },
    { command, ...(Number.isFinite(timeoutMs) ? { timeoutMs: Math.ceil(timeoutMs) } : {}) },
    { timeoutMs, signal, clock, context: { sessionId, runId, workspace } },
  );
  const output = lastLines(redact(plainText(outcome.content)));
  return { isOk: outcome.status === "ok", output, ms: Math.max(0, clock.now() - startedAt) };
}

/** The tool of the run; a program outside that offers a tool of this name gets no commands of the goal. */
function shellOf({ tools, bash }: AgentRun["setup"]): Tool {
  const own = tools.find("bash");
  return own !== undefined && own.origin !== "external" ? own : (bash ?? bashTool());
}

/** The command has its own limit; this one ends a tool that ignores it. */
function withTimeout(tool: Tool, timeoutMs: number): Tool {
  const { name, description, input } = tool;
  return { name, description, input, timeoutMs, run: (given, context) => tool.run(given, context) };
}

function lastLines(output: string): string {
  const lines = output.trim().split("\n").slice(-MAX_LINES).join("\n");
  return lines.length <= MAX_CHARS ? lines : `…${lines.slice(-MAX_CHARS)}`.toWellFormed();
}

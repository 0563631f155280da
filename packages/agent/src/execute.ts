import type { Admitted } from "./admit.ts";
import type { ResultMessage } from "./messages.ts";
import { withoutNotices } from "./notice.ts";
import type { RunContext } from "./run-context.ts";
import { executeCalls } from "./tools/execute-calls.ts";
import type { Tool } from "./tools/tool.ts";

/** Runs the calls that may be run, in parallel where they are independent, and tells the guardian how each ended. */
export async function execute(run: RunContext, admitted: readonly Admitted[]): Promise<readonly ResultMessage[]> {
  if (admitted.length === 0) return [];
  const { settings, sessionId, runId, workspace, clock, guard } = run;
  run.emit({ type: "StateChanged", state: "waiting_for_tool" });
  guard.guardian.observe({ type: "waiting", for: "tool" });
  const results = await executeCalls(admitted, {
    parallel: settings.parallelTools,
    timeoutMs: settings.toolTimeoutSecs * 1_000,
    maxOutputTokens: settings.maxToolOutputTokens,
    context: { sessionId, runId, workspace },
    signal: guard.signal,
    clock,
    emit: (event) => run.emit(event),
  });
  run.emit({ type: "StateChanged", state: "running" });
  return results.map((result) => {
    guard.guardian.afterCall(result.callId, { status: result.status, content: result.content });
    const { role, id, at, callId, tool, status, content } = result;
    return { role, id, at, callId, tool, status, content: withoutNotices(content) };
  });
}

/** Whether a tool only looks. */
export function isRead({ kind }: Tool): boolean {
  return kind === "read" || kind === "poll" || kind === "think" || kind === "wait";
}

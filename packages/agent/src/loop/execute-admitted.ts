import { keepShape } from "../async/keep-shape.ts";
import type { Clock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { ResultMessage } from "../protocol/messages.ts";
import { withoutNotices } from "../protocol/notice.ts";
import { type ExecuteOptions, executeCalls } from "../tools/execute-calls.ts";
import type { Tool } from "../tools/tool.ts";
import type { Admitted } from "./admit-calls.ts";
import type { RunContext } from "./run-context.ts";

/** Runs the calls that may be run, in parallel where they are independent, and tells the guardian how each ended. */
export async function executeAdmitted(
  run: RunContext,
  admitted: readonly Admitted[],
): Promise<readonly ResultMessage[]> {
  if (admitted.length === 0) return [];
  const { guard } = run;
  run.emit({ type: "StateChanged", state: "waiting_for_tool" });
  guard.guardian.observe({ type: "waiting", for: "tool" });
  const results = await executeCalls(admitted, new Execution(run));
  run.emit({ type: "StateChanged", state: "running" });
  for (const { callId, status, content } of results) guard.guardian.afterCall(callId, { status, content });
  return results.map(unforged);
}

/** The result as the model reads it. */
function unforged(result: ResultMessage): ResultMessage {
  const content = withoutNotices(result.content);
  return content === result.content ? result : { ...result, content };
}

/** What the calls of a run are executed with. */
class Execution implements ExecuteOptions {
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
  }

  get parallel(): boolean {
    return this.run.settings.parallelTools;
  }

  get timeoutMs(): number {
    return this.run.settings.toolTimeoutSecs * 1_000;
  }

  get maxOutputTokens(): number {
    return this.run.settings.maxToolOutputTokens;
  }

  get context(): ExecuteOptions["context"] {
    const { sessionId, runId, workspace } = this.run;
    return { sessionId, runId, workspace };
  }

  get signal(): AbortSignal {
    return this.run.guard.signal;
  }

  get clock(): Clock {
    return this.run.clock;
  }

  emit(event: AgentEventBody): void {
    this.run.emit(event);
  }
}

keepShape(new Execution({} as RunContext)); // of no run

/** Whether a tool only looks. */
export function isRead({ kind }: Tool): boolean {
  return kind === "read" || kind === "poll" || kind === "think" || kind === "wait";
}

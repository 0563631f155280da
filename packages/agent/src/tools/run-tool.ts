import type { Clock } from "../clock.ts";
import { isAborted } from "../is-aborted.ts";
import type { CallPart } from "../messages.ts";
import { offAbort, onAbort } from "../on-abort.ts";
import { Attempt } from "./attempt.ts";
import { CallLife, type CallPlace, givenContext } from "./given-context.ts";
import type { Tool, ToolOutcome } from "./tool.ts";

/** A call that may be run, with its tool. */
export interface ExecutableCall {
  readonly call: CallPart;
  readonly tool: Tool;
}

export interface RunToolOptions {
  /** For tools that name no time limit of their own. Infinity: as long as it takes. */
  readonly timeoutMs: number;
  readonly context: CallPlace;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "after">;
}

/**
 * Runs a tool and always has an outcome: whatever it throws or gives back, and also when it neither ends nor listens. When the time is up or the run is
 * aborted it is told so, has one turn of the event loop to give what it has, and is then left to itself: what it says later is dropped.
 */
export async function runTool({ call, tool }: ExecutableCall, input: unknown, options: RunToolOptions): Promise<ToolOutcome> {
  const { signal, clock } = options;
  if (isAborted(signal)) return { status: "interrupted", content: `${tool.name} was not started: the run was interrupted.` };
  const timeoutMs = tool.timeoutMs ?? options.timeoutMs;
  const life = new CallLife(options.context);
  const attempt = new Attempt();
  void attempt.make(tool, input, givenContext(call.id, options.context, life));
  const abort = () => attempt.cutShort("interrupted");
  onAbort(signal, abort);
  if (isAborted(signal)) abort(); // while the tool began
  const stopTimer = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, () => attempt.cutShort("timeout")) : undefined;
  await attempt.over;
  stopTimer?.();
  offAbort(signal, abort);
  const { why, outcome } = attempt;
  if (why === undefined && outcome !== undefined) {
    life.end();
    return outcome;
  }
  life.end(why === "timeout" ? "the time is up" : "the run was interrupted");
  await new Promise((resolve) => setImmediate(resolve));
  return endedEarly(tool, attempt, timeoutMs);
}

/** A tool that ended well at the last moment has ended well. */
function endedEarly(tool: Tool, { why = "interrupted", outcome: last }: Attempt, timeoutMs: number): ToolOutcome {
  if (last?.status === "ok") return last;
  const said = why === "timeout" ? `${tool.name} was ended: it took longer than ${timeoutMs} ms` : `${tool.name} was interrupted`;
  const note = `[${said}; what it did up to then may be done: look before you repeat it]`;
  return { status: why, content: last === undefined || last.status === "error" || last.content === "" ? note : last.content };
}

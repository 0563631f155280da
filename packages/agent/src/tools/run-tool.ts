import type { Clock } from "../protocol/clock.ts";
import type { CallPart } from "../protocol/messages.ts";
import { thrownText, toText } from "./to-text.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** A call that may run, with its tool. */
export interface ExecutableCall {
  readonly call: CallPart;
  readonly tool: Tool;
  /** Its `ToolStart` is published already. */
  readonly isAnnounced?: boolean;
  /** As in `ToolContext`. */
  readonly leavesSandbox?: boolean;
  /** As in `ToolContext`. */
  readonly reachesBeyond?: boolean;
  /** As in `ToolContext`. */
  readonly runsNoCode?: boolean;
  /** Asked right before the call starts. A text denies it: the model reads it in place of a result. */
  recheck?(): Promise<string | undefined>;
}

export interface RunToolOptions {
  /** For tools without a limit of their own. Infinity: no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "after">;
  readonly context: Pick<ToolContext, "sessionId" | "runId" | "workspace"> & Partial<Pick<ToolContext, "progress">>;
}

/**
 * Runs a tool and always returns an outcome, whatever the tool throws or returns, and also when it never ends. When the
 * time is up or the run is aborted, the tool's signal is aborted and the tool has one turn of the event loop to return
 * what it has, unless it is known to end by itself. Whatever it returns or reports later is dropped.
 */
export async function runTool(
  { call, tool, leavesSandbox = false, reachesBeyond = false, runsNoCode = false }: ExecutableCall,
  input: unknown,
  options: RunToolOptions,
): Promise<ToolOutcome> {
  const { signal, clock } = options;
  if (signal.aborted)
    return { status: "interrupted", content: `${tool.name} was not started: the run was interrupted.` };
  const timeoutMs = tool.timeoutMs ?? options.timeoutMs;
  const stop = new AbortController();
  const { sessionId, runId, workspace, progress } = options.context;
  let isOver = false;
  let outcome: ToolOutcome | undefined;
  const finished = invoke(tool, input, {
    sessionId,
    runId,
    callId: call.id,
    workspace,
    ...(leavesSandbox ? { leavesSandbox } : {}),
    ...(reachesBeyond ? { reachesBeyond } : {}),
    ...(runsNoCode ? { runsNoCode } : {}),
    signal: stop.signal,
    progress(text) {
      if (!isOver) progress?.(text);
    },
  }).then((value) => {
    outcome = value;
    return "finished" as const;
  });
  // The time counts from here: what the tool does synchronously holds up the clock as well.
  const limit = watchLimits({ timeoutMs, signal, clock });
  const end = await Promise.race([finished, limit.reached]);
  limit.stop();
  isOver = true;
  if (end === "finished" && outcome !== undefined) return outcome;
  const cause = end === "timeout" ? "timeout" : "interrupted";
  stop.abort(new Error(cause === "timeout" ? "the time is up" : "the run was interrupted"));
  await (tool.endsWhenAborted === true ? finished : new Promise((resolve) => setImmediate(resolve)));
  return endedEarly(cause, outcome, { name: tool.name, timeoutMs });
}

async function invoke(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  try {
    return toOutcome(await tool.run(input, context));
  } catch (thrown) {
    return failed(`${tool.name} failed: ${thrownText(thrown)}`);
  }
}

/** Reads what a tool returned. Its type is not enforced at run time, so anything else than an outcome becomes text. */
export function toOutcome(returned: unknown): ToolOutcome {
  if (typeof returned !== "object" || returned === null || !("status" in returned) || !("content" in returned))
    return ok(toText(returned));
  const { status, content } = returned;
  if (status !== "ok" && status !== "error" && status !== "timeout" && status !== "interrupted")
    return ok(toText(returned));
  const details = "details" in returned ? returned.details : undefined;
  const source = "outsideSource" in returned ? returned.outsideSource : undefined;
  return {
    status,
    content: toText(content),
    ...(details === undefined ? {} : { details }),
    ...(typeof source === "string" ? { outsideSource: source } : {}),
  };
}

interface LimitWatch {
  readonly reached: Promise<"timeout" | "interrupted">;
  stop(): void;
}

function watchLimits({ timeoutMs, signal, clock }: Pick<RunToolOptions, "timeoutMs" | "signal" | "clock">): LimitWatch {
  let stop = (): void => undefined;
  const reached = new Promise<"timeout" | "interrupted">((resolve) => {
    const interrupt = () => resolve("interrupted");
    const stopTimer = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, () => resolve("timeout")) : undefined;
    if (signal.aborted) interrupt();
    signal.addEventListener("abort", interrupt, { once: true });
    stop = () => {
      stopTimer?.();
      signal.removeEventListener("abort", interrupt);
    };
  });
  return { reached, stop };
}

/** A tool that succeeded at the last moment has succeeded. */
function endedEarly(
  cause: "timeout" | "interrupted",
  outcome: ToolOutcome | undefined,
  { name, timeoutMs }: { readonly name: string; readonly timeoutMs: number },
): ToolOutcome {
  if (outcome?.status === "ok") return outcome;
  if (outcome !== undefined && outcome.status !== "error" && outcome.content !== "")
    return { status: cause, content: outcome.content };
  const what = cause === "timeout" ? `was stopped: it took longer than ${timeoutMs} ms` : "was interrupted";
  return { status: cause, content: `[${name} ${what}. It may have done part of its work: check before you repeat it]` };
}

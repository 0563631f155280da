import type { Clock } from "../clock.ts";
import { offAbort, onAbort } from "../on-abort.ts";
import { thrownText, toText } from "./to-text.ts";
import { failed, ok, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

export interface RunToolOptions {
  /** Infinity: as long as it takes. */
  readonly timeoutMs: number;
  readonly context: Omit<ToolContext, "signal">;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "after">;
}

/**
 * Runs a tool and always has an outcome: whatever it throws or gives back, and also when it neither ends nor listens. When the time is up or the run is
 * aborted it is told so, has one turn of the event loop to give what it has, and is then left to itself: what it says later is dropped.
 */
export async function runTool(tool: Tool, input: unknown, { timeoutMs, context, signal, clock }: RunToolOptions): Promise<ToolOutcome> {
  if (signal.aborted) return { status: "interrupted", content: `${tool.name} was not started: the run was interrupted.` };
  let own: AbortController | undefined;
  let isOver = false;
  const progress = (text: string) => {
    if (!isOver) context.progress(text);
  };
  const { sessionId, runId, callId, workspace } = context;
  const given: ToolContext = {
    sessionId,
    runId,
    callId,
    workspace,
    progress,
    get signal() {
      own ??= new AbortController(); // few tools ask for it
      if (isOver) own.abort();
      return own.signal;
    },
  };
  const outcome = outcomeOf(tool, input, given);
  const first = await firstOf(outcome, { timeoutMs, signal, clock });
  isOver = true;
  if (typeof first === "object") return first;
  own?.abort(new Error(first === "timeout" ? "the time is up" : "the run was interrupted"));
  const last = await Promise.race([outcome, new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))]);
  return cutShort(tool, { why: first, timeoutMs, last });
}

/** What comes first: the tool's end, the end of its time, or an abort. Nothing is left behind on the signal or the clock. */
function firstOf(
  outcome: Promise<ToolOutcome>,
  { timeoutMs, signal, clock }: Pick<RunToolOptions, "timeoutMs" | "signal" | "clock">,
): Promise<ToolOutcome | "timeout" | "interrupted"> {
  return new Promise((resolve) => {
    const abort = () => end("interrupted");
    const stopTimer = Number.isFinite(timeoutMs) ? clock.after(timeoutMs, () => end("timeout")) : undefined;
    const end = (what: ToolOutcome | "timeout" | "interrupted") => {
      stopTimer?.();
      offAbort(signal, abort);
      resolve(what);
    };
    onAbort(signal, abort);
    if (signal.aborted) abort(); // while the tool began
    outcome.then(end);
  });
}

async function outcomeOf(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  try {
    return readOutcome(await tool.run(input, context));
  } catch (thrown) {
    return failed(`${tool.name} failed: ${thrownText(thrown)}`);
  }
}

/** What a tool gave back, which its types promise but nothing enforces. */
function readOutcome(given: unknown): ToolOutcome {
  if (typeof given !== "object" || given === null || !("status" in given) || !("content" in given)) return ok(toText(given));
  const { status, content } = given;
  const details = "details" in given ? given.details : undefined;
  const text = toText(content);
  if (status === "ok" || status === "error" || status === "timeout" || status === "interrupted") {
    return details === undefined ? { status, content: text } : { status, content: text, details };
  }
  return ok(toText(given));
}

interface CutShort {
  readonly why: "timeout" | "interrupted";
  readonly timeoutMs: number;
  readonly last: ToolOutcome | undefined;
}

/** A tool that ended well at the last moment has ended well. */
function cutShort(tool: Tool, { why, timeoutMs, last }: CutShort): ToolOutcome {
  if (last?.status === "ok") return last;
  const said = why === "timeout" ? `${tool.name} was ended: it took longer than ${timeoutMs} ms` : `${tool.name} was interrupted`;
  const note = `[${said}; what it did up to then may be done: look before you repeat it]`;
  return { status: why, content: last === undefined || last.status === "error" || last.content === "" ? note : last.content };
}

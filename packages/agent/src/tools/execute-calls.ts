import type { Clock } from "../clock.ts";
import type { Emit } from "../events.ts";
import type { CallPart, ResultMessage } from "../messages.ts";
import { untilAborted } from "../until-aborted.ts";
import { compactOutput } from "./compact-output.ts";
import { plainData } from "./plain-data.ts";
import { plainText } from "./plain-text.ts";
import { runTool } from "./run-tool.ts";
import { footprint, schedule } from "./schedule.ts";
import type { Tool, ToolContext, ToolOutcome } from "./tool.ts";
import { invalid, type Validated, validateInput } from "./validate-input.ts";

/** A call that may be run, with its tool. */
export interface ExecutableCall {
  readonly call: CallPart;
  readonly tool: Tool;
}

export interface ExecuteOptions {
  /** Independent calls at the same time; else one after the other. */
  readonly parallel: boolean;
  /** How many at the same time; 8 where nothing is said. */
  readonly maxParallel?: number;
  /** For tools that name no time limit of their own. */
  readonly timeoutMs: number;
  readonly maxOutputTokens: number;
  readonly context: Pick<ToolContext, "sessionId" | "runId" | "workspace"> & Partial<Pick<ToolContext, "progress">>;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, "now" | "after" | "newId">;
}

/**
 * Runs the calls of a reply and gives exactly one result for each, in their order. Calls that only look run together, calls that touch the same thing one
 * after the other. Arguments are checked first; whatever a tool does, there is a result. An abort has results within a turn of the event loop.
 * Secrets are still in what is emitted: the bus takes them out.
 */
export async function executeCalls(calls: readonly ExecutableCall[], options: ExecuteOptions): Promise<ResultMessage[]> {
  const { signal } = options;
  const checking = calls.map(check);
  const checked = checking.every(isChecked) ? checking : await Promise.all(checking.map((each) => orNotStarted(each, signal)));
  const [first, ...more] = calls.map((each, place) => {
    const validated = checked[place] as Validated; // one for each
    return {
      footprint: validated.ok && !signal.aborted ? footprint(each.tool, validated.input) : { isRead: true, touches: [] },
      run: () => execute(each, validated, options),
    };
  });
  if (first === undefined) return [];
  if (more.length === 0) return [await first.run()];
  return schedule([first, ...more], { parallel: options.parallel, maxParallel: options.maxParallel ?? 8 });
}

function isChecked(checking: Validated | Promise<Validated>): checking is Validated {
  return !(checking instanceof Promise);
}

/** The arguments as they were checked; a schema that takes its time is not waited for after an abort: the call will not be started. */
async function orNotStarted(checking: Validated | Promise<Validated>, signal: AbortSignal): Promise<Validated> {
  if (isChecked(checking)) return checking;
  try {
    return await untilAborted(checking, signal);
  } catch {
    return { ok: true, input: undefined };
  }
}

function check({ call, tool }: ExecutableCall): Validated | Promise<Validated> {
  if (call.problem !== undefined || call.input === undefined) return { ok: false, problem: invalid(tool, call.problem ?? "they are no JSON object") };
  return validateInput(tool, call.input);
}

async function execute({ call, tool }: ExecutableCall, validated: Validated, options: ExecuteOptions): Promise<ResultMessage> {
  const { clock, emit, signal, maxOutputTokens } = options;
  const startedAt = clock.now();
  const isStarted = validated.ok && !signal.aborted;
  if (isStarted) emit({ type: "ToolStart", callId: call.id, tool: tool.name, input: plainData(call.input) });
  const { status, content, details } = await outcomeOf(tool, validated, call.id, options);
  const text = compactOutput(plainText(content), maxOutputTokens) || "[no output]";
  const at = clock.now();
  const ended = { type: "ToolEnd", callId: call.id, tool: tool.name, status, content: text, ms: Math.max(0, at - startedAt) } as const;
  emit(details === undefined ? ended : { ...ended, details: plainData(details) });
  return { role: "tool", id: clock.newId("msg"), at, callId: call.id, tool: tool.name, status, content: text };
}

type Outcome = Omit<ToolOutcome, "status"> & { readonly status: ResultMessage["status"] };

function outcomeOf(
  tool: Tool,
  validated: Validated,
  callId: string,
  { context: { sessionId, runId, workspace, progress = () => undefined }, timeoutMs, signal, clock }: ExecuteOptions,
): Outcome | Promise<Outcome> {
  if (!validated.ok) return { status: "invalid-arguments", content: validated.problem };
  return runTool(tool, validated.input, {
    timeoutMs: tool.timeoutMs ?? timeoutMs,
    context: { sessionId, runId, callId, workspace, progress },
    signal,
    clock,
  });
}

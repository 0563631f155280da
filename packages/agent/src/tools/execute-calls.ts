import { isAborted } from "../async/is-aborted.ts";
import { untilAborted } from "../async/until-aborted.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import type { ResultMessage } from "../protocol/messages.ts";
import { compactOutput } from "./compact-output.ts";
import { plainData } from "./plain-data.ts";
import { plainText } from "./plain-text.ts";
import { type ExecutableCall, type RunToolOptions, runTool } from "./run-tool.ts";
import { footprint, schedule, type Task } from "./schedule.ts";
import { invalidArguments, type ValidatedInput, validateInput } from "./validate-input.ts";

export type { ExecutableCall } from "./run-tool.ts";

export interface ExecuteOptions extends RunToolOptions {
  /** Independent calls at the same time; else one after the other. */
  readonly parallel: boolean;
  /** How many at the same time; 8 where nothing is said. */
  readonly maxParallel?: number;
  readonly maxOutputTokens: number;
  readonly clock: Pick<Clock, "now" | "after" | "newId">;
  emit(...event: Parameters<Emit>): void;
}

/**
 * Runs the calls of a reply and gives exactly one result for each, in their order. Calls that only look run together, calls that touch the same thing one
 * after the other. Arguments are checked first; whatever a tool does, there is a result. An abort has results within a turn of the event loop.
 * Secrets are still in what is emitted: the bus takes them out.
 */
export async function executeCalls(
  calls: readonly ExecutableCall[],
  options: ExecuteOptions,
): Promise<ResultMessage[]> {
  const [only] = calls;
  if (only !== undefined && calls.length === 1) return [await executeCall(only, options)];
  const checked = await Promise.all(calls.map((each) => orNotStarted(check(each), options.signal)));
  const tasks = calls.map((each, place) => taskOf(each, checked[place] as ValidatedInput, options)); // one for each
  return schedule(tasks, { parallel: options.parallel, maxParallel: options.maxParallel ?? 8 });
}

/** The same for one call, which has to wait for no other. */
export function executeCall(each: ExecutableCall, options: ExecuteOptions): Promise<ResultMessage> {
  const checking = check(each);
  return checking instanceof Promise ? executeOnceChecked(each, checking, options) : execute(each, checking, options);
}

async function executeOnceChecked(
  each: ExecutableCall,
  checking: Promise<ValidatedInput>,
  options: ExecuteOptions,
): Promise<ResultMessage> {
  return execute(each, await orNotStarted(checking, options.signal), options);
}

function check({ call, tool }: ExecutableCall): ValidatedInput | Promise<ValidatedInput> {
  if (call.problem !== undefined || call.input === undefined)
    return { ok: false, problem: invalidArguments(tool, call.problem ?? "they are no JSON object") };
  return validateInput(tool, call.input);
}

/** The arguments as they were checked; a schema that takes its time is not waited for after an abort: the call will not be started. */
async function orNotStarted(
  checking: ValidatedInput | Promise<ValidatedInput>,
  signal: AbortSignal,
): Promise<ValidatedInput> {
  if (!(checking instanceof Promise)) return checking;
  try {
    return await untilAborted(checking, signal);
  } catch {
    return { ok: true, input: undefined };
  }
}

function taskOf(each: ExecutableCall, validated: ValidatedInput, options: ExecuteOptions): Task<ResultMessage> {
  return {
    footprint:
      validated.ok && !options.signal.aborted ? footprint(each.tool, validated.input) : { isRead: true, touches: [] },
    run: () => execute(each, validated, options),
  };
}

async function execute(
  each: ExecutableCall,
  validated: ValidatedInput,
  options: ExecuteOptions,
): Promise<ResultMessage> {
  const { clock } = options;
  const callId = each.call.id;
  const tool = each.tool.name;
  const startedAt = clock.now();
  if (validated.ok && !isAborted(options.signal))
    options.emit({ type: "ToolStart", callId, tool, input: plainData(each.call.input) });
  const { status, content, details } = validated.ok
    ? await runTool(each, validated.input, options)
    : notValid(validated.problem);
  const text = compactOutput(plainText(content), options.maxOutputTokens) || "[no output]";
  const at = clock.now();
  const ms = Math.max(0, at - startedAt);
  if (details === undefined) options.emit({ type: "ToolEnd", callId, tool, status, content: text, ms });
  else options.emit({ type: "ToolEnd", callId, tool, status, content: text, ms, details: plainData(details) });
  return { role: "tool", id: clock.newId("msg"), at, callId, tool, status, content: text };
}

function notValid(problem: string): {
  readonly status: "invalid-arguments";
  readonly content: string;
  readonly details?: unknown;
} {
  return { status: "invalid-arguments", content: problem };
}

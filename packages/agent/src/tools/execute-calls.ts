import { untilAborted } from "../async/until-aborted.ts";
import type { Clock } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import type { ResultMessage } from "../protocol/messages.ts";
import { outsideText } from "../protocol/outside-text.ts";
import { compactOutput } from "./compact-output.ts";
import { createOutputEvents } from "./output-events.ts";
import { plainData } from "./plain-data.ts";
import { plainText } from "./plain-text.ts";
import { type ExecutableCall, type RunToolOptions, runTool } from "./run-tool.ts";
import { footprint, schedule } from "./schedule.ts";
import type { Tool, ToolOutcome } from "./tool.ts";
import { toolStart } from "./tool-start.ts";
import { invalidArguments, type ValidatedInput, validateInput } from "./validate-input.ts";

export type { ExecutableCall } from "./run-tool.ts";

export interface ExecuteOptions extends RunToolOptions {
  /** False: one call after the other. */
  readonly parallel: boolean;
  /** How many calls run at the same time; default 8. */
  readonly maxParallel?: number;
  readonly maxOutputTokens: number;
  readonly clock: Pick<Clock, "now" | "after" | "newId">;
  emit(...event: Parameters<Emit>): void;
  /** Called before a tool asks the user, when its start is emitted. */
  onQuestion?(): Promise<void>;
}

/**
 * Executes the calls of a reply and returns exactly one result for each, in their order, whatever the tools do. Calls
 * that only read run together; calls that touch the same resource run one after the other. Arguments are validated
 * first. After an abort, all results are there within one turn of the event loop. Emitted events still contain secrets:
 * the event bus redacts them.
 */
export async function executeCalls(
  calls: readonly ExecutableCall[],
  options: ExecuteOptions,
): Promise<ResultMessage[]> {
  const { signal, parallel, maxParallel = 8 } = options;
  const tasks = await Promise.all(
    calls.map(async (call) => {
      const validated = await validateUntilAborted(call, signal);
      const canStart = validated.ok && !signal.aborted;
      return {
        footprint: canStart ? footprint(call.tool, validated.input) : { isReadOnly: true, touches: [] },
        run: () => execute(call, validated, options),
      };
    }),
  );
  return schedule(tasks, { parallel, maxParallel });
}

/** After an abort it does not wait for a slow schema: the call is not going to start. */
async function validateUntilAborted({ call, tool }: ExecutableCall, signal: AbortSignal): Promise<ValidatedInput> {
  if (call.problem !== undefined || call.input === undefined)
    return { ok: false, problem: invalidArguments(tool, call.problem ?? "They are not a JSON object") };
  try {
    return await untilAborted(validateInput(tool, call.input), signal);
  } catch {
    return { ok: true, input: undefined };
  }
}

async function execute(
  executable: ExecutableCall,
  validated: ValidatedInput,
  options: ExecuteOptions,
): Promise<ResultMessage> {
  const { clock, signal } = options;
  const { call, isAnnounced = false } = executable;
  const { id: callId } = call;
  const tool = executable.tool.name;
  const refusal = validated.ok && !signal.aborted ? await executable.recheck?.() : undefined;
  if (refusal !== undefined)
    return { role: "tool", id: clock.newId("msg"), at: clock.now(), callId, tool, status: "denied", content: refusal };
  const startedAt = clock.now();
  const isStarted = isAnnounced || (validated.ok && !signal.aborted);
  if (isStarted && !isAnnounced) await announce(executable, options);
  const output = createOutputEvents(callId, clock, (event) => options.emit(event));
  const { status, content, details, outsideSource }: ExecutionEnd = validated.ok
    ? await runTool(executable, validated.input, {
        ...options,
        context: { ...options.context, progress: (text) => output.push(text) },
      })
    : { status: "invalid-arguments", content: validated.problem };
  output.stop();
  const shown = compactOutput(plainText(content), options.maxOutputTokens) || "[no output]";
  const source = outsideSource ?? (validated.ok ? externalSource(executable.tool) : undefined);
  const text = source === undefined ? shown : outsideText(source, shown);
  const at = clock.now();
  options.emit({
    type: "ToolEnd",
    callId,
    tool,
    status,
    content: text,
    ms: Math.max(0, at - startedAt),
    ...(details === undefined ? {} : { details: plainData(details) }),
    ...(isStarted || call.input === undefined ? {} : { input: plainData(call.input) }),
  });
  return { role: "tool", id: clock.newId("msg"), at, callId, tool, status, content: text };
}

/** A question to the user is saved before it is asked, so that it can be answered from another process. */
async function announce({ call, tool }: ExecutableCall, { clock, emit, onQuestion }: ExecuteOptions): Promise<void> {
  const { answerTimeoutMs } = tool;
  const answerBy = clock.now() + (answerTimeoutMs ?? Number.POSITIVE_INFINITY);
  emit({
    ...toolStart({ ...call, tool: tool.name }, tool.kind),
    ...(Number.isFinite(answerBy) ? { answerBy } : {}),
  });
  if (answerTimeoutMs !== undefined) await onQuestion?.();
}

/** Everything that an external tool returns, also its errors, was written by others. */
function externalSource({ name, origin }: Tool): string | undefined {
  return origin === "external" ? `the tool ${name}` : undefined;
}

type ExecutionEnd = Pick<ResultMessage, "status" | "content"> & Pick<ToolOutcome, "details" | "outsideSource">;

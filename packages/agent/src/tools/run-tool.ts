import { isAborted } from "../async/is-aborted.ts";
import type { CallPart } from "../protocol/messages.ts";
import { Attempt, type Limits } from "./attempt.ts";
import { CallLife, type CallPlace, givenContext } from "./given-context.ts";
import type { Tool, ToolOutcome } from "./tool.ts";

/** A call that may be run, with its tool. */
export interface ExecutableCall {
  readonly call: CallPart;
  readonly tool: Tool;
}

/** The time limit is for tools that name none of their own. */
export interface RunToolOptions extends Limits {
  readonly context: CallPlace;
}

/**
 * Runs a tool and always has an outcome: whatever it throws or gives back, and also when it neither ends nor listens. When the time is up or the run is
 * aborted it is told so, has one turn of the event loop to give what it has, and is then left to itself: what it says later is dropped.
 */
export function runTool({ call, tool }: ExecutableCall, input: unknown, options: RunToolOptions): Promise<ToolOutcome> {
  const { signal, clock, context } = options;
  if (isAborted(signal))
    return Promise.resolve({
      status: "interrupted",
      content: `${tool.name} was not started: the run was interrupted.`,
    });
  const life = new CallLife(context);
  const attempt = new Attempt(tool, life, { timeoutMs: tool.timeoutMs ?? options.timeoutMs, signal, clock });
  return attempt.start(input, givenContext(call.id, context, life));
}

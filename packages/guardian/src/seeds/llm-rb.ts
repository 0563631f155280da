import { tailRepetitions } from "../detect/detectors/seed-llm-rb.ts";
import { canonical } from "../perceive/canonical.ts";
import { checkThreshold, DEFAULT_THRESHOLD } from "../policy/seed-policies.ts";
import { toolCallsOf } from "./tool-calls.ts";

export { DEFAULT_THRESHOLD };

/**
 * The input of a loop guard. Messages may have the format of OpenAI, Anthropic, the AI SDK, or
 * `{ role: "assistant", toolCalls: [{ name, arguments }] }`.
 */
export interface LoopGuardContext {
  readonly messages: readonly unknown[];
}

/** A guard like that of llm.rb: a function of the conversation without memory. */
export interface LoopGuard {
  readonly threshold: number;
  /** Returns a warning when the pending tool calls of the last message should not be executed, otherwise null. */
  call(context: LoopGuardContext): string | null;
}

/**
 * Creates a guard that warns when the assistant's calls end in the same pattern `threshold` times, whatever the
 * results.
 */
export function createLoopGuard({ threshold = DEFAULT_THRESHOLD }: { readonly threshold?: number } = {}): LoopGuard {
  checkThreshold(threshold);
  return {
    threshold,
    call(context) {
      const tail = tailRepetitions(keysOf(context?.messages), threshold);
      return tail === undefined ? null : warning(tail.repetitions, tail.period);
    },
  };
}

/** The answer to a pending call in place of a result. */
export interface GuardError {
  readonly error: true;
  readonly type: "GuardError";
  readonly message: string;
}

/** Creates the answer to each pending call after a warning, so that the model can read why it was not executed. */
export function guardError(message: string): GuardError {
  return { error: true, type: "GuardError", message };
}

/**
 * Tool and arguments of every call, as canonical JSON: another order of keys is the same call (llm.rb compares text).
 */
function keysOf(messages: unknown): readonly string[] {
  const calls = Array.isArray(messages) ? messages.flatMap(toolCallsOf) : [];
  return calls.map(({ name, args }) => canonical([name, args]));
}

function warning(repetitions: number, period: number): string {
  const pattern = period === 1 ? "the same tool call" : `the same sequence of ${period} tool calls`;
  return [
    `Not executed: you have asked for ${pattern} ${repetitions} times in a row.`,
    "Once more will not tell you anything new.",
    "Read the results you already have, then change the arguments, take another approach,",
    "or say what you found and what stops you.",
  ].join(" ");
}

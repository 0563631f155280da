import { tailRepetitions } from "../detect/detectors/seed-llm-rb.ts";
import { canonical } from "../perceive/canonical.ts";
import { checkThreshold, DEFAULT_THRESHOLD } from "../policy/seed-policies.ts";
import { toolCallsOf } from "./tool-calls.ts";

export { DEFAULT_THRESHOLD };

/** What a loop guard looks at. Messages may be OpenAI's, Anthropic's, the AI SDK's or `{ role: "assistant", toolCalls: [{ name, arguments }] }`. */
export interface LoopGuardContext {
  readonly messages: readonly unknown[];
}

/** A guard in the manner of llm.rb: it looks at a conversation and keeps nothing. */
export interface LoopGuard {
  readonly threshold: number;
  /** A warning when the pending tool calls should not be executed, otherwise null. To be asked while the calls of the last message are pending. */
  call(context: LoopGuardContext): string | null;
}

/** Makes a guard that warns when the assistant's tool calls end in the same pattern `threshold` times in a row, whatever came back. */
export function createLoopGuard({ threshold = DEFAULT_THRESHOLD }: { readonly threshold?: number } = {}): LoopGuard {
  checkThreshold(threshold);
  return {
    threshold,
    call(context) {
      const found = tailRepetitions(keysOf(context?.messages), threshold);
      return found === undefined ? null : warning(found.repetitions, found.period);
    },
  };
}

/** What a pending call is answered with in place of a result. */
export interface GuardError {
  readonly error: true;
  readonly type: "GuardError";
  readonly message: string;
}

/** The in-band answer to each pending call once a guard has warned: the conversation stays whole, and the model can read why. */
export function guardError(message: string): GuardError {
  return { error: true, type: "GuardError", message };
}

/** Tool and arguments of every call; arguments as canonical JSON, where llm.rb compares their text: another order of keys is no other call. */
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
    "or say what you found and what keeps you from going on.",
  ].join(" ");
}

import type { Status } from "@sheepdog/guardian";
import type { LoopGuard } from "../guard/loop-guard.ts";
import type { FinishedStep, StepPart } from "./finished-step.ts";

/** Reports finished steps to the guard, each once: their usage, their reply, and calls that no guarded tool made. */
export class StepObserver {
  readonly #guard: LoopGuard;
  readonly #steps = new WeakSet<FinishedStep>();
  /** Calls of the current step that a guarded tool has reported. */
  readonly #reportedCalls = new Set<string>();
  #isUsageReported = false;

  constructor(guard: LoopGuard) {
    this.#guard = guard;
  }

  /** A guarded tool reports this call. */
  onCall(id: string): void {
    this.#reportedCalls.add(id);
  }

  /** The middleware has reported the usage of the current step. */
  onUsage(): void {
    this.#isUsageReported = true;
  }

  observe(step: FinishedStep | undefined): void {
    if (step === undefined || this.#steps.has(step)) return;
    this.#steps.add(step);
    if (!this.#isUsageReported) this.#reportUsage(step);
    this.#isUsageReported = false;
    for (const part of step.content) this.#reportResult(part);
    this.#reportedCalls.clear();
    if (step.toolCalls.length === 0) this.#guard.reply(step.text);
  }

  #reportUsage({ usage, response }: FinishedStep): void {
    this.#guard.usage({
      model: response.modelId,
      inputTokens: usage.inputTokens ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      cacheReadTokens: usage.inputTokenDetails?.cacheReadTokens,
      cacheWriteTokens: usage.inputTokenDetails?.cacheWriteTokens,
    });
  }

  /** Calls of unknown tools, with invalid input, or executed by the provider: nobody can refuse them. */
  #reportResult({ type, toolCallId: id, toolName: tool, input, output, error }: StepPart): void {
    if (type !== "tool-result" && type !== "tool-error") return;
    if (id === undefined || id === "" || tool === undefined || this.#reportedCalls.has(id)) return;
    this.#guard.beforeCall({ id, tool, args: input });
    const isError = type === "tool-error";
    this.#guard.afterCall(id, isError ? failedCall(error) : { status: "ok", content: output });
  }
}

function failedCall(error: unknown): { status: Status; content: unknown } {
  const { name, message } = error instanceof Error ? error : { name: "", message: error };
  return { status: statuses[name] ?? "error", content: message };
}

/** The AI SDK's errors about calls that cannot be executed. */
const statuses: Readonly<Record<string, Status>> = {
  AI_NoSuchToolError: "unknown-tool",
  AI_InvalidToolInputError: "invalid-arguments",
};

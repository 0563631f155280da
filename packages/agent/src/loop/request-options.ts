import type { SignalInput } from "@sheepdog/guardian";
import { keepShape } from "../async/keep-shape.ts";
import { type RequestSize, reserve } from "../costs/reserve.ts";
import { account } from "../costs/settle.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import type { Model } from "../provider/model.ts";
import type { AttemptUsage, ModelRequestOptions } from "../provider/model-request.ts";
import { commitCosts } from "./commit-turn.ts";
import type { RunContext } from "./run-context.ts";

/** How a request of a run is made: `signal` ends it. Each attempt is reserved before it is sent and booked when it is over. */
export function requestOptions(run: RunContext, signal: AbortSignal, size: RequestSize): ModelRequestOptions {
  return new RunRequest(run, signal, size, true);
}

/** The same for an internal request: nobody hears its reply. */
export function internalOptions(run: RunContext, signal: AbortSignal, size: RequestSize): ModelRequestOptions {
  return new RunRequest(run, signal, size, false);
}

class RunRequest implements ModelRequestOptions {
  readonly signal: AbortSignal;
  private readonly run: RunContext;
  private readonly size: RequestSize;
  private readonly isVisible: boolean;

  constructor(run: RunContext, signal: AbortSignal, size: RequestSize, isVisible: boolean) {
    this.signal = signal;
    this.run = run;
    this.size = size;
    this.isVisible = isVisible;
  }

  get models(): readonly Model[] {
    return this.run.models;
  }

  get maxRetries(): number {
    return this.run.settings.maxRetries;
  }

  get firstByteMs(): number {
    return this.run.settings.firstByteSecs * 1_000;
  }

  get betweenMs(): number {
    return this.run.settings.betweenSecs * 1_000;
  }

  get clock(): RunContext["clock"] {
    return this.run.clock;
  }

  get usedCallIds(): ReadonlySet<string> {
    return this.run.history.callIds;
  }

  get cache(): RunContext["cache"] {
    return this.run.cache;
  }

  get inputTokens(): number {
    return this.size.inputTokens;
  }

  reserve(model: Model): ReturnType<typeof reserve> {
    return reserve(this.run, model, this.size);
  }

  /** While it waits nothing of it holds up others. */
  saveUsage(): Promise<void> {
    return commitCosts(this.run);
  }

  recordUsage(spent: AttemptUsage): void {
    account(this.run, spent);
  }

  emit(event: AgentEventBody): void {
    if (this.isVisible) this.run.emit(event);
  }

  onDelta(channel: "text" | "thinking" | "tool-input", text: string): "continue" | { readonly interrupt: number } {
    const decision = this.isVisible ? this.run.guard.hear(channel, text) : "go-on";
    return decision === "go-on" ? "continue" : decision;
  }

  onWaiting(what: keyof typeof waitingFor): void {
    this.run.guard.guardian.observe(waitingFor[what]);
  }

  onAttemptStart(): void {
    this.run.guard.guardian.observe(streamStart);
  }

  countTokens(text: string): number {
    return this.run.counter.countText(text);
  }
}

const streamStart: SignalInput = { type: "stream-start" };
const waitingFor = {
  "first-byte": { type: "waiting", for: "first-byte" },
  stream: { type: "waiting", for: "stream" },
  "rate-limit": { type: "waiting", for: "rate-limit" },
} as const satisfies Record<string, SignalInput>;

/** The tokens of an internal request, which is not the one that was measured for the turn. */
export function sizeOf(
  { counter, system, sentTools }: RunContext,
  { messages, maxOutputTokens }: { readonly messages: readonly Message[]; readonly maxOutputTokens: number },
): RequestSize {
  return {
    inputTokens: counter.countText(system) + counter.countText(JSON.stringify(sentTools)) + total(messages, counter),
    maxOutputTokens,
  };
}

function total(messages: readonly Message[], counter: RunContext["counter"]): number {
  return messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
}

keepShape(
  new RunRequest({} as RunContext, new AbortController().signal, { inputTokens: 0, maxOutputTokens: 0 }, false),
); // it is never asked for anything

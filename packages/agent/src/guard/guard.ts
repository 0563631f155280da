import { setMaxListeners } from "node:events";
import {
  createGuardian,
  defaultPolicy,
  type Guardian,
  type GuardianState,
  type Intervention,
  type LimitName,
  type Policy,
  type Stop,
} from "@sheepdog/guardian";
import { sha256 } from "@sheepdog/records";
import { isAborted } from "../async/is-aborted.ts";
import { keepShape } from "../async/keep-shape.ts";
import { type Clock, machineClock, nowOf } from "../protocol/clock.ts";
import type { Emit } from "../protocol/events.ts";
import { redactText } from "../secrets/redact-text.ts";
import type { MoneyLimits } from "../stores/stores.ts";
import type { Tool } from "../tools/tool.ts";
import { eventsOf } from "./guardian-events.ts";

/** How often time is looked at: at most, and at least where the guardian is to notice a short silence. */
const TICK_MS = 5_000;
const MIN_TICK_MS = 100;

/** The guardian of a run with what the loop needs around it: a timer, signals that end what it wants ended, and its events. */
export interface Guard {
  readonly guardian: Guardian;
  /** All that it has decided in this run. */
  readonly interventions: readonly Intervention[];
  readonly stop: Stop | undefined;
  /** Aborted once the guardian has ended the run, or somebody has cancelled it: a request or a tool that goes on is ended too. */
  readonly signal: AbortSignal;
  /** Tells the guardian something that may end the run; then it is ended at once. */
  observe(signal: Parameters<Guardian["observe"]>[0]): readonly Intervention[];
  /** A signal for one request, aborted also when the guardian wants that one ended and made again. */
  forRequest(): AbortSignal;
  /** The limits of money that hold now: a person may have set one anew. */
  moneyLimits(): MoneyLimits;
  /** Ends the run because of what the runtime itself can no longer promise. */
  fail(message: string): void;
  /** Listens to a part of a reply. */
  hear(channel: "text" | "thinking" | "tool-input", text: string): "go-on" | { readonly interrupt: number };
  close(): void;
}

export interface GuardOptions {
  readonly policy: Policy;
  readonly run: string;
  readonly attended: boolean;
  readonly tools: readonly Tool[];
  readonly state?: GuardianState;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Aborted when somebody cancels the run. */
  readonly signal: AbortSignal;
}

/** A guardian for a run. */
export function createGuard(options: GuardOptions): Guard {
  return new RunGuard(options);
}

class RunGuard implements Guard {
  readonly guardian: Guardian;
  readonly interventions: Intervention[] = [];
  readonly signal: AbortSignal;
  private readonly policy: Policy;
  private readonly ended = new AbortController();
  private request = new AbortController();
  private broken: Stop | undefined = undefined;
  private halted: Stop | undefined = undefined;
  private money: MoneyLimits | undefined = undefined;
  private readonly stopTicking: () => void;

  constructor({ policy, run, attended, tools, state, clock, emit, signal: cancelled }: GuardOptions) {
    this.policy = policy;
    this.signal = this.ended.signal;
    // Not by AbortSignal.any: Node never lets go of such a signal once somebody has listened to it, nor of the run with it.
    const cancel = () => this.ended.abort(cancelled.reason);
    if (isAborted(cancelled)) cancel();
    else cancelled.addEventListener("abort", cancel, { once: true });
    setMaxListeners(0, this.signal); // tools may listen to it
    this.signal.addEventListener("abort", () => this.request.abort());
    this.guardian = createGuardian({
      policy,
      run,
      attended,
      now: nowOf(clock),
      digest: sha256,
      redact: redactText,
      tools: tools.map(({ name, kind }) => ({ name, kind })),
      ...(state === undefined ? {} : { state }),
      emit: (event) => {
        if (event.type === "intervention") this.interventions.push(event.intervention);
        for (const each of eventsOf(event)) emit(each);
      },
    });
    this.stopTicking = clock.every(tickMsOf(policy), () => this.tick());
  }

  get stop(): Stop | undefined {
    return this.broken ?? this.guardian.stop ?? this.halted;
  }

  observe(told: Parameters<Guardian["observe"]>[0]): readonly Intervention[] {
    const said = this.guardian.observe(told);
    if (told.type === "limit") this.money = undefined; // to be read anew
    this.heed(said);
    return said;
  }

  forRequest(): AbortSignal {
    if (isAborted(this.request.signal) && !isAborted(this.signal)) this.request = new AbortController(); // one that was not used up will do again
    return this.request.signal;
  }

  moneyLimits(): MoneyLimits {
    this.money ??= moneyLimitsOf(this.guardian.snapshot().userLimits, this.policy.limits);
    return this.money;
  }

  fail(message: string): void {
    this.broken ??= { reason: "internal_error", intervention: "", message };
    this.ended.abort();
  }

  hear(channel: "text" | "thinking" | "tool-input", text: string): "go-on" | { readonly interrupt: number } {
    const { guardian } = this;
    const said = guardian.delta(channel, text);
    if (guardian.stop !== undefined) this.halt(guardian.stop);
    if (said.length === 0) return "go-on";
    const interrupt = said.find(({ effect, isApplied }) => isApplied && (effect === "interrupt" || effect === "stop"));
    return interrupt === undefined ? "go-on" : { interrupt: interrupt.surplus ?? 0 };
  }

  close(): void {
    this.stopTicking();
  }

  /** What was decided just now is acted on. */
  private heed(said: readonly Intervention[]): void {
    if (this.guardian.stop !== undefined) this.halt(this.guardian.stop);
    else if (said.some(({ effect, isApplied }) => effect === "interrupt" && isApplied)) this.request.abort();
  }

  /** What goes on is ended, and nothing can be begun any more: also where a person speaks now, to whom the guardian would listen. */
  private halt(stop: Stop): void {
    this.halted ??= stop;
    this.ended.abort();
  }

  /** A guardian that fails must not let the run go on unguarded. */
  private tick(): void {
    try {
      this.heed(this.guardian.observe({ type: "tick" }));
    } catch (error) {
      this.fail(`The guardian failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Often enough that a silence is noticed when it is a quarter too long. */
function tickMsOf({ stallMs }: Policy): number {
  return stallMs > 0 ? Math.min(TICK_MS, Math.max(MIN_TICK_MS, stallMs / 4)) : TICK_MS;
}

function moneyLimitsOf(own: Policy["limits"], ofPolicy: Policy["limits"]): MoneyLimits {
  const most = (name: LimitName) => (own[name] ?? ofPolicy[name])?.stop ?? 0;
  return { session: most("session-cost"), day: most("day-cost"), month: most("month-cost") };
}

keepShape(
  createGuard({
    policy: defaultPolicy,
    run: "",
    attended: false,
    tools: [],
    clock: { ...machineClock, every: () => () => undefined },
    emit: () => undefined,
    signal: new AbortController().signal,
  }),
);

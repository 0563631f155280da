import { setMaxListeners } from "node:events";
import {
  type CallDecision,
  createGuardian,
  episodeOf,
  type Guardian,
  type GuardianEvent,
  type GuardianState,
  type Intervention,
  type LimitName,
  limitNames,
  nearBudget,
  type Origin,
  type Policy,
  type Reserve,
  type SignalInput,
  type SignalOf,
  type Stop,
  stopReasonOf,
  usedOf,
} from "@sheepdog/guardian";
import { sha256 } from "@sheepdog/records";
import { onAbort } from "../async/on-abort.ts";
import type { Emit } from "../protocol/events.ts";
import type { CallPart, ResultMessage } from "../protocol/messages.ts";
import type { ControlToContinue, RunControl } from "../protocol/run-control.ts";
import type { RunQuestion } from "../protocol/run-question.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { redactToolName } from "../secrets/redact-tool-name.ts";
import type { MoneyLimits } from "../stores/stores.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { Guard, GuardOptions } from "./guard.ts";
import { controlEvent, createGuardianEvents } from "./guardian-events.ts";

/** The interval of ticks; shorter if the guardian has to notice a short silence. */
const TICK_MS = 5_000;
const MIN_TICK_MS = 100;

export function createGuard(options: GuardOptions): Guard {
  return new RunGuardian(options);
}

class RunGuardian implements Guard {
  readonly interventions: Intervention[] = [];
  readonly signal: AbortSignal;
  isEndedByUser = false;
  readonly #guardian: Guardian;
  readonly #policy: Policy;
  readonly #emit: Emit;
  readonly #canAsk: boolean;
  /** The episodes that the user was asked about. */
  readonly #asked = new Set<string>();
  /** The episodes that a message of the user closes: the agent has not recovered by itself. */
  readonly #told = new Set<string>();
  readonly #tools: Pick<ToolRegistry, "find">;
  readonly #reserve: Reserve;
  readonly #ended = new AbortController();
  #request = new AbortController();
  #decision = new AbortController();
  /** A stop that aborted work in flight: a later message of the user cannot revoke it. */
  #finalStop: Stop | undefined;
  #failure: Stop | undefined;
  readonly #redact: Redact;
  readonly #stopTicking: () => void;

  constructor(options: GuardOptions) {
    const { policy, run, attended, canAsk, tools, state, clock, emit, signal: cancelled, reserve = {} } = options;
    const { onOpinionWanted = () => {}, redact = createRedact() } = options;
    this.#redact = redact;
    this.#policy = policy;
    this.#emit = emit;
    this.#canAsk = canAsk;
    this.#reserve = reserve;
    this.#tools = tools;
    this.signal = this.#ended.signal;
    setMaxListeners(0, this.signal); // every running tool may listen
    // Not AbortSignal.any: Node never frees such a signal once it has a listener, nor the run it belongs to.
    onAbort(cancelled, () => this.#ended.abort(cancelled.reason));
    onAbort(this.signal, () => {
      this.#request.abort();
      this.#decision.abort();
    });
    const reported = (state?.episodes ?? []).filter(({ level }) => level !== undefined);
    const eventsOf = createGuardianEvents(reported.map(({ id }) => id));
    this.#guardian = createGuardian({
      policy,
      run,
      attended,
      now: () => clock.now(),
      digest: sha256,
      redact,
      tools: tools.all.map(({ name, kind }) => ({ name, ...(kind === undefined ? {} : { kind }) })),
      ...(state === undefined ? {} : { state }),
      emit: (event) => {
        if (event.type === "recovered" && this.#told.has(event.episode)) return;
        const published = this.#withQuestionIfAsked(event);
        if (published.type === "intervention") this.interventions.push(published.intervention);
        for (const each of eventsOf(published)) emit(each);
        if (event.type === "opinion-wanted") onOpinionWanted(event.request);
      },
    });
    this.#stopTicking = clock.every(tickMs(policy), () => this.#tick());
  }

  get stop(): Stop | undefined {
    return this.#failure ?? this.#finalStop ?? this.#guardian.stop;
  }

  observe(signal: SignalInput): readonly Intervention[] {
    const interventions = this.#guardian.observe(signal);
    if (!isBetweenActivities(signal)) this.#abortInFlight(interventions);
    return interventions;
  }

  beforeCalls(calls: readonly CallPart[]): readonly CallDecision[] {
    return this.#guardian.beforeCalls(calls.map((call) => this.#plannedCall(call)));
  }

  afterCalls(results: readonly ResultMessage[]): void {
    for (const { callId, status, content } of results) this.#guardian.afterCall(callId, { status, content });
  }

  onUserMessage(origin: Origin): void {
    this.#guardian.userMessage(origin);
  }

  onReply(text: string, stop: SignalOf<"reply">["stop"]): void {
    this.#guardian.message(text, stop);
  }

  onDelta(channel: SignalOf<"delta">["channel"], text: string): "continue" | { readonly interrupt: number } {
    const interventions = this.#guardian.delta(channel, text);
    // The returned interrupt ends the stream; the run ends with it, unless the user is asked.
    if (this.#guardian.stop !== undefined && this.stopToAskAbout() === undefined) this.#abortInFlight(interventions);
    const interrupt = interventions.find(
      ({ effect, isApplied }) => isApplied && (effect === "interrupt" || effect === "stop"),
    );
    return interrupt === undefined ? "continue" : { interrupt: interrupt.surplus ?? 0 };
  }

  endTurn(): readonly Intervention[] {
    return this.#guardian.endTurn();
  }

  requestSignal(): AbortSignal {
    if (this.#request.signal.aborted && !this.signal.aborted) this.#request = new AbortController();
    return this.#request.signal;
  }

  decisionSignal(): AbortSignal {
    if (this.#decision.signal.aborted && !this.signal.aborted) this.#decision = new AbortController();
    return this.#decision.signal;
  }

  nearBudget(): boolean {
    return this.#guardian.nearBudget(this.#reserve);
  }

  isRunNearBudget(): boolean {
    return nearBudget(this.#policy, this.#guardian.snapshot(), this.#reserve, ["run-tokens", "run-cost"]);
  }

  moneyLimits(): MoneyLimits {
    const [session, day, month] = [this.limitOf("session-cost"), this.limitOf("day-cost"), this.limitOf("month-cost")];
    return { session, day, month };
  }

  limits(): Policy["limits"] {
    const limits = { ...this.#policy.limits, ...this.changedLimits() };
    return Object.fromEntries(Object.entries(limits).filter(([, { warn = 0, stop = 0 }]) => warn > 0 || stop > 0));
  }

  limitOf(name: LimitName): number {
    return (this.changedLimits()[name] ?? this.#policy.limits[name])?.stop ?? 0;
  }

  workMs(): number {
    return usedOf(this.#guardian.snapshot(), "time");
  }

  costWithSubagents(): number | null {
    const state = this.#guardian.snapshot();
    return state.isPriced && !state.subagentTotals.isUnpriced ? usedOf(state, "run-cost") : null;
  }

  changedLimits(): Policy["limits"] {
    return this.#guardian.snapshot().userLimits;
  }

  shouldAsk(intervention: Intervention): boolean {
    return this.#canAsk && intervention.question !== undefined && !this.#asked.has(episodeOf(intervention.id));
  }

  stopToAskAbout(): Intervention | undefined {
    const { stop } = this;
    if (stop === undefined || stop === this.#failure || stop === this.#finalStop) return undefined;
    const intervention = this.interventions.find(({ id }) => id === stop.intervention);
    return intervention !== undefined && this.shouldAsk(intervention) ? intervention : undefined;
  }

  markAsked(intervention: Intervention): void {
    this.#asked.add(episodeOf(intervention.id));
  }

  applyControl(control: RunControl): void {
    this.#emit(controlEvent(control));
    this.observe(control);
  }

  controlToContinue(intervention: Intervention): ControlToContinue {
    const limit = limitNames.find((name) => name === intervention.detector);
    if (limit === undefined) return { type: "mute", episode: episodeOf(intervention.id) };
    const configured = this.#policy.limits[limit]?.stop ?? 0;
    const current = this.changedLimits()[limit]?.stop ?? configured;
    const more = configured || current; // the user may have set a limit that is not configured
    return { type: "limit", limit, stop: Math.max(current, intervention.count) + more };
  }

  continueWithMessage({ intervention, ifContinued }: RunQuestion): void {
    this.#told.add(episodeOf(intervention.id));
    if (ifContinued.type === "limit") this.applyControl(ifContinued);
    else if (intervention.effect === "stop") this.observe(ifContinued); // lifts the stop until the message is read
  }

  endByUser(intervention: Intervention): void {
    this.isEndedByUser = true;
    const { id, detector, question = "" } = intervention;
    const message = `${question} The user ended the run.`;
    const { stop } = this.#guardian; // a limit may be reached in the same turn
    this.#finalStop ??=
      stop?.intervention === id ? stop : { reason: stopReasonOf(detector), intervention: id, message };
    this.#ended.abort();
  }

  snapshot(): GuardianState {
    return this.#guardian.snapshot();
  }

  fail(message: string): void {
    this.#failure ??= { reason: "internal_error", intervention: "", message };
    this.#ended.abort();
  }

  close(): void {
    this.#stopTicking();
  }

  /** A published intervention has a question if and only if the user is asked about it. */
  #withQuestionIfAsked(event: GuardianEvent): GuardianEvent {
    if (event.type !== "intervention" || this.shouldAsk(event.intervention)) return event;
    const { question: _, ...intervention } = event.intervention;
    return { ...event, intervention };
  }

  /** Only new decisions abort: a stop that the loop has yet to act on must not cut off what it does before. */
  #abortInFlight(interventions: readonly Intervention[]): void {
    const effects = interventions.filter(({ isApplied }) => isApplied).map(({ effect }) => effect);
    const toAsk = effects.includes("stop") ? this.stopToAskAbout() : undefined;
    if (toAsk !== undefined) {
      // The run may continue: running calls come to their end, and so does a request if only a limit is reached.
      this.#decision.abort();
      const isLimit = limitNames.some((name) => name === toAsk.detector);
      if (!isLimit || this.#guardian.snapshot().clock.waitingFor === "rate-limit") this.#request.abort();
    } else if (effects.includes("stop")) {
      this.#finalStop ??= this.#guardian.stop;
      this.#ended.abort();
    } else if (effects.includes("interrupt")) this.#request.abort();
  }

  /** A guardian that fails must not leave the run unguarded. */
  #tick(): void {
    try {
      this.observe({ type: "tick" });
    } catch (error) {
      this.fail(`The guardian failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #plannedCall({ id, tool, input, problem }: CallPart): Parameters<Guardian["beforeCall"]>[0] {
    const registered = this.#tools.find(tool);
    const kind = registered?.kind;
    return {
      id,
      tool: redactToolName(tool, { isRegistered: registered !== undefined, redact: this.#redact }),
      args: input ?? problem,
      ...(kind === undefined || kind === "unknown" ? {} : { kind }),
    };
  }
}

/**
 * Whether nothing is in flight when the signal is sent: the judge has answered, and so has the request that a run's own
 * usage reports. Only a subagent's usage arrives while something is in flight.
 */
function isBetweenActivities(signal: SignalInput): boolean {
  return signal.type === "verdict" || (signal.type === "usage" && signal.child === undefined);
}

/** Short enough to notice a stall when it is a quarter too long, and the end of the time a twentieth too late. */
function tickMs({ stallMs, limits }: Policy): number {
  const timeMs = limits.time?.stop ?? 0;
  const wantedMs = Math.min(stallMs > 0 ? stallMs / 4 : TICK_MS, timeMs > 0 ? timeMs / 20 : TICK_MS);
  return Math.min(TICK_MS, Math.max(MIN_TICK_MS, wantedMs));
}

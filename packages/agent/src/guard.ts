import { setMaxListeners } from "node:events";
import { createGuardian, type Guardian, type GuardianState, type Intervention, type LimitName, type Policy, type Stop } from "@sheepdog/guardian";
import { sha256 } from "@sheepdog/records";
import { maskText } from "./bus/mask-text.ts";
import type { Clock } from "./clock.ts";
import type { Emit } from "./events.ts";
import { eventsOf } from "./guardian-events.ts";
import type { MoneyLimits } from "./stores/stores.ts";
import type { Tool } from "./tools/tool.ts";

const TICK_MS = 5_000;

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
  readonly hear: (channel: "text" | "thinking" | "tool-input", text: string) => "go-on" | { readonly interrupt: number };
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
export function createGuard({ policy, run, attended, tools, state, clock, emit, signal: cancelled }: GuardOptions): Guard {
  const interventions: Intervention[] = [];
  const ended = new AbortController();
  const { signal } = ended;
  // Not by AbortSignal.any: Node never lets go of such a signal once somebody has listened to it, nor of the run with it.
  const cancel = () => ended.abort(cancelled.reason);
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener("abort", cancel, { once: true });
  setMaxListeners(0, signal); // tools may listen to it
  let request = new AbortController();
  signal.addEventListener("abort", () => request.abort());
  let broken: Stop | undefined;
  let halted: Stop | undefined;
  const guardian = createGuardian({
    policy,
    run,
    attended,
    now: () => clock.now(),
    digest: sha256,
    redact: maskText,
    tools: tools.map(({ name, kind }) => ({ name, kind })),
    ...(state === undefined ? {} : { state }),
    emit(event) {
      if (event.type === "intervention") interventions.push(event.intervention);
      for (const each of eventsOf(event)) emit(each);
    },
  });

  /** What was decided just now is acted on. */
  function heed(said: readonly Intervention[]): void {
    if (guardian.stop !== undefined) halt(guardian.stop);
    else if (said.some(({ effect, isApplied }) => effect === "interrupt" && isApplied)) request.abort();
  }

  /** What goes on is ended, and nothing can be begun any more: also where a person speaks now, to whom the guardian would listen. */
  function halt(stop: Stop): void {
    halted ??= stop;
    ended.abort();
  }

  /** A guardian that fails must not let the run go on unguarded. */
  function tick(): void {
    try {
      heed(guardian.observe({ type: "tick" }));
    } catch (error) {
      fail(`The guardian failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  function fail(message: string): void {
    broken ??= { reason: "internal_error", intervention: "", message };
    ended.abort();
  }

  const stopTicking = clock.every(TICK_MS, tick);
  return {
    guardian,
    interventions,
    get stop() {
      return broken ?? guardian.stop ?? halted;
    },
    signal,
    observe(told) {
      const said = guardian.observe(told);
      heed(said);
      return said;
    },
    forRequest() {
      if (request.signal.aborted && !signal.aborted) request = new AbortController(); // one that was not used up will do again
      return request.signal;
    },
    moneyLimits() {
      const { ownLimits } = guardian.snapshot();
      const most = (name: LimitName) => (ownLimits[name] ?? policy.limits[name])?.stop ?? 0;
      return { session: most("session-cost"), day: most("day-cost"), month: most("month-cost") };
    },
    fail,
    hear(channel, text) {
      const said = guardian.delta(channel, text);
      if (guardian.stop !== undefined) halt(guardian.stop);
      if (said.length === 0) return "go-on";
      const interrupt = said.find(({ effect, isApplied }) => isApplied && (effect === "interrupt" || effect === "stop"));
      return interrupt === undefined ? "go-on" : { interrupt: interrupt.surplus ?? 0 };
    },
    close: stopTicking,
  };
}

import { checkPlannedCall, checkResult } from "./check-input.ts";
import { checkOptions, type GuardianEvent, type GuardianOptions } from "./guardian-options.ts";
import { nearBudget, type Reserve } from "./limits/near-budget.ts";
import { plainDigest } from "./perceive/hash.ts";
import { annotatedKind } from "./perceive/kind.ts";
import {
  type PerceiveOptions,
  perceiveCall,
  perceiveOutcome,
  perceiveText,
  type RawResult,
} from "./perceive/perceive.ts";
import { withoutExcerpt } from "./perceive/print.ts";
import { redactLine } from "./perceive/redact-line.ts";
import type { ToolKind } from "./perceive/tool-kind.ts";
import { checkPolicy } from "./policy/check-policy.ts";
import type { DetectorName } from "./policy/detector-rungs.ts";
import type { Policy } from "./policy/policy.ts";
import { showValue } from "./policy/show-value.ts";
import type { Channel, Origin, ReplyStop, Signal, SignalInput } from "./signal.ts";
import { findUnanswered } from "./signals/call.ts";
import { bounds, shorten } from "./state/bounds.ts";
import type { Episode } from "./state/episode.ts";
import type { GuardianState, Stop } from "./state/guardian-state.ts";
import { initialState } from "./state/initial-state.ts";
import { episodeOf, type Intervention, type Words } from "./state/intervention.ts";
import { restoreState } from "./state/restore-state.ts";
import type { StepOutput } from "./state/step-context.ts";
import { type StepResult, step } from "./step.ts";
import { ended, plainWords } from "./words.ts";

export type CallDecision = { readonly allow: true } | { readonly allow: false; readonly message: string };

/** A call that is about to be made. */
export interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** Inferred from the tool's name and arguments when absent. */
  readonly kind?: ToolKind;
  /** The tool's own key for "the same call", in place of its arguments. */
  readonly key?: string;
}

/**
 * The guardian with its state. A loop needs `beforeCall`, `afterCall` and `endTurn`; everything else is optional.
 * Wrong input from the program throws a TypeError or a RangeError. Text, tool names and arguments of a model never
 * throw.
 */
export interface Guardian {
  /** Call it before a call is executed. The message of a refusal goes to the model in place of the result. */
  beforeCall(call: PlannedCall): CallDecision;
  /** The same for all calls of a reply at once, before any of them is executed. */
  beforeCalls(calls: readonly PlannedCall[]): readonly CallDecision[];
  /** Call it when a call has ended. A refused call needs no result. */
  afterCall(id: string, result: RawResult): void;
  /** Call it when all calls of the turn have their results. Returns the messages for the model, each once. */
  endTurn(): readonly Intervention[];
  /**
   * Call it with each part of a streamed reply. On `interrupt`, end the stream, cut off its `surplus`,
   * execute none of its calls, and end the turn.
   */
  delta(channel: Channel, text: string): readonly Intervention[];
  /** Call it when a message comes in. A person's message excuses looking again. */
  userMessage(origin: Origin): void;
  /** Call it after a reply without calls; `length` if it was cut off. */
  message(text: string, stop?: ReplyStop): void;
  /**
   * Sends any other signal. Act on a returned `interrupt` or `stop` at once; a `deny` refuses a call or a subagent.
   * Messages for the model come with `endTurn`.
   */
  observe(signal: SignalInput): readonly Intervention[];
  /** Whether little is left of the tokens or the money; by default 512 tokens or a tenth of a cost limit. */
  nearBudget(reserve?: Reserve): boolean;
  /** The detectors whose warnings changed nothing, for the `child-end` signal of the run above. */
  findings(): readonly DetectorName[];
  /** Set once the run has to end. */
  readonly stop: Stop | undefined;
  /** The state to save with the turn; plain JSON. */
  snapshot(): GuardianState;
}

/** Creates a guardian for one session. It answers what to do; it does nothing by itself. */
export function createGuardian(options: GuardianOptions = {}): Guardian {
  checkOptions(options);
  return new SessionGuardian(options);
}

/** The number of announced call ids that are remembered to check `afterCall`. */
const MAX_ANNOUNCED = 1_000;

const UNREADABLE = "<unreadable>";

class SessionGuardian implements Guardian {
  readonly #policy: Policy;
  readonly #words: Words;
  readonly #perceive: PerceiveOptions;
  readonly #emit: (event: GuardianEvent) => void;
  readonly #clock: () => number;
  readonly #announcedIds = new Set<string>();
  /** Ids were announced that are not in `#announcedIds`. */
  #hasForgottenIds: boolean;
  #state: GuardianState;
  /** Interventions that `endTurn` has not returned yet. */
  #pending: readonly Intervention[];

  constructor(options: GuardianOptions) {
    const { policy = {}, digest = plainDigest, attended = false, tools = [], run } = options;
    this.#policy = checkPolicy(policy);
    this.#words = withFallback(options.words ?? plainWords, plainWords);
    this.#emit = withFallback(options.emit ?? (() => {}), () => {});
    // biome-ignore lint/style/noRestrictedGlobals: the default clock; `step` gets the time as a value.
    this.#clock = options.now ?? Date.now;
    this.#perceive = {
      digest,
      redact: withFallback(options.redact ?? redactLine, () => ""),
      argumentChars: this.#policy.argumentChars,
    };
    const isRestored = options.state !== undefined;
    const { state, note = undefined } = isRestored
      ? restoreState(options.state, digest.name)
      : { state: initialState(digest.name) };
    this.#state = state;
    this.#pending = Array.isArray(state.pending) ? state.pending : [];
    this.#hasForgottenIds = isRestored;
    if (note !== undefined) this.#emit({ type: "restored", note });
    if (isRestored && note === undefined && options.isOngoing === true) {
      this.#state = { ...state, attended };
      return;
    }
    const announcedTools = tools.map(({ name, kind, annotations }) => ({
      name,
      kind: kind ?? annotatedKind(annotations),
    }));
    this.#send({ type: "run-start", at: this.#now(), attended, tools: announcedTools, run });
  }

  get stop(): Stop | undefined {
    return this.#state.stopped;
  }

  beforeCall(call: PlannedCall): CallDecision {
    return this.beforeCalls([call])[0] as CallDecision; // one decision for each call
  }

  beforeCalls(calls: readonly PlannedCall[]): readonly CallDecision[] {
    for (const call of calls) checkPlannedCall(call);
    for (const { id } of calls) this.#rememberId(id);
    const plannedCalls = this.stop === undefined ? calls : []; // after the end of the run all calls are refused
    const interventions = plannedCalls.flatMap((call) => {
      const { kind, print } = perceiveAnyCall(call, this.#perceive);
      const { id, tool } = call;
      return this.#send({ type: "call", at: this.#now(), id, tool, kind, print, of: calls.length }).interventions;
    });
    return calls.map(({ id }) => this.#decide(id, interventions));
  }

  afterCall(id: string, result: RawResult): void {
    checkResult(id, result);
    if (!this.#announcedIds.has(id) && !this.#hasForgottenIds)
      throw new RangeError(`Expected afterCall() to get the id of a call that beforeCall() got, got ${showValue(id)}.`);
    const call = findUnanswered(this.#state, id);
    if (call === undefined) this.#emit({ type: "ignored", signal: "result" });
    const outcome = perceiveAnyOutcome(result, call?.call, this.#perceive);
    this.#send({ type: "result", at: this.#now(), id, outcome });
  }

  endTurn(): readonly Intervention[] {
    this.#send({ type: "turn-end", at: this.#now() });
    const interventions = this.#pending;
    this.#pending = [];
    return interventions;
  }

  delta(channel: Channel, text: string): readonly Intervention[] {
    return this.observe({ type: "delta", channel, text: String(text ?? "") });
  }

  userMessage(origin: Origin): void {
    this.observe({ type: "user-message", origin });
  }

  message(text: string, stop: ReplyStop = "end"): void {
    const content = String(text ?? ""); // from a model, through callers without types
    this.observe({ type: "reply", stop, calls: 0, words: perceiveText(content), size: content.length });
  }

  observe(signal: SignalInput): readonly Intervention[] {
    const timed = { ...signal, at: signal?.at ?? this.#now() } as Signal; // checked by the step
    const { interventions, problem } = this.#send(timed);
    if (problem !== undefined) throw new TypeError(problem);
    if (timed.type === "call") this.#rememberId(timed.id);
    return interventions;
  }

  findings(): readonly DetectorName[] {
    return this.#state.episodes.filter(isUnsolved).map(({ detector }) => detector);
  }

  nearBudget(reserve?: Reserve): boolean {
    return nearBudget(this.#policy, this.#state, reserve);
  }

  snapshot(): GuardianState {
    const findings = this.#state.findings.map(withoutExcerpt);
    return { ...this.#state, findings, streams: {}, pending: this.#pending.slice(-bounds.pending) };
  }

  #now(): number {
    const at = this.#clock();
    return Number.isFinite(at) ? at : this.#state.clock.at;
  }

  #rememberId(id: string): void {
    this.#announcedIds.add(id);
    if (this.#announcedIds.size <= MAX_ANNOUNCED) return;
    const [oldest = ""] = this.#announcedIds;
    this.#announcedIds.delete(oldest);
    this.#hasForgottenIds = true;
  }

  #send(signal: Signal): StepResult {
    const previous = this.#state;
    const output = this.#step(signal);
    this.#state = output.state;
    const { run, brokenDetectors } = output.state;
    if (brokenDetectors !== previous.brokenDetectors)
      for (const detector of brokenDetectors.slice(previous.brokenDetectors?.length))
        this.#emit({ type: "detector-off", detector });
    for (const intervention of output.interventions) this.#emit({ type: "intervention", intervention });
    for (const request of output.asked) this.#emit({ type: "opinion-wanted", request });
    for (const episode of output.recovered) this.#emit({ type: "recovered", episode });
    const stillPending = run === previous.run ? this.#pending : []; // messages to another run are dropped
    this.#pending = updatePending(stillPending, output);
    return output;
  }

  /** A state that makes the step throw was tampered with: the guardian starts again with an empty one. */
  #step(signal: Signal): StepResult {
    try {
      return step(this.#policy, this.#state, signal, this.#words);
    } catch {
      this.#emit({ type: "restored", note: "the guardian state cannot be read; starting with an empty state" });
      return step(this.#policy, initialState(this.#perceive.digest.name), signal, this.#words);
    }
  }

  /** The decision about a call, after all calls of the reply were processed. */
  #decide(callId: string, interventions: readonly Intervention[]): CallDecision {
    const storedId = shorten(callId, bounds.id);
    const denial = interventions.find(({ denies, isApplied }) => isApplied && denies?.callId === storedId);
    if (denial !== undefined) return { allow: false, message: denial.message };
    if (this.stop === undefined) return { allow: true };
    const { reason } = this.stop;
    this.#emit({ type: "refused", callId, reason });
    return { allow: false, message: ended(reason) };
  }
}

/** Perceives a call. Arguments that cannot be read are perceived as such. */
const perceiveAnyCall = withFallback(perceiveCall, ({ tool }, options) =>
  perceiveCall({ tool, args: UNREADABLE }, options),
);
const perceiveAnyOutcome = withFallback(perceiveOutcome, ({ status }, call, options) =>
  perceiveOutcome({ status, content: UNREADABLE }, call, options),
);

/** Drops messages about episodes that have recovered, and adds the new messages for the model. */
function updatePending(
  pending: readonly Intervention[],
  { interventions, recovered }: StepOutput,
): readonly Intervention[] {
  const current = pending.filter(({ id }) => !recovered.includes(episodeOf(id)));
  return [...current, ...interventions.filter(isForModel)];
}

/** A warning that changed nothing. */
function isUnsolved({ level, isClosed, isMuted, isObserveOnly, opinions }: Episode): boolean {
  if (opinions?.verdict === "working") return false;
  return !isClosed && !isMuted && !isObserveOnly && level !== undefined && level !== "hint";
}

/** A refusal of one call and the end of the run are returned where they happen. */
function isForModel({ effect, denies, isForUser, isApplied }: Intervention): boolean {
  return isApplied && effect !== "stop" && denies === undefined && isForUser === undefined;
}

/** A function that calls `fallback` when `call` throws: an error in a caller's function must not end the run. */
function withFallback<A extends unknown[], R>(call: (...args: A) => R, fallback: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return call(...args);
    } catch {
      return fallback(...args);
    }
  };
}

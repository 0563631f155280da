import { bounds, short } from "./bounds.ts";
import { openCall } from "./calls.ts";
import { checkPolicy } from "./check-policy.ts";
import { defaultPolicy } from "./default-policy.ts";
import { type Draft, draftOf, initialState } from "./draft.ts";
import type { Episode } from "./episode.ts";
import { fields } from "./fields.ts";
import type { Intervention } from "./intervention.ts";
import { LOOK } from "./judge/detectors/chant-tail.ts";
import { nearBudget, type Reserve } from "./limits.ts";
import { plainDigest } from "./perceive/hash.ts";
import { annotatedKind, type ToolAnnotations } from "./perceive/kind.ts";
import { redactSecrets } from "./perceive/mask-secrets.ts";
import {
  type PerceiveOptions,
  perceiveCall,
  perceiveText,
  printOutcome,
  quote,
  type RawResult,
} from "./perceive/perceive.ts";
import { type Digest, withoutExcerpt } from "./perceive/print.ts";
import type { DetectorName, Policy } from "./policy.ts";
import { restoreState } from "./restore.ts";
import type { Channel, Origin, Signal, SignalOf, SignalType, ToolKind } from "./signal.ts";
import { type GuardianState, noStreams } from "./state.ts";
import { fold } from "./step.ts";
import { type Said, silent } from "./step-result.ts";
import type { Stop } from "./stop.ts";
import { passTime } from "./time.ts";
import { isWellFormed } from "./well-formed.ts";
import { ended, plainWords, type Words } from "./words.ts";

/** What happened inside the guardian, for logs and screens. */
export type GuardianEvent =
  | { readonly type: "intervention"; readonly intervention: Intervention }
  | { readonly type: "recovered"; readonly episode: string }
  | { readonly type: "refused"; readonly callId: string; readonly reason: string }
  | { readonly type: "detector-off"; readonly detector: DetectorName }
  | { readonly type: "restored"; readonly note: string }
  | { readonly type: "ignored"; readonly signal: string };

/** A tool as the caller knows it. */
export interface Tool {
  readonly name: string;
  readonly kind?: ToolKind;
  /** What an MCP server says of it. */
  readonly annotations?: ToolAnnotations;
}

export interface GuardianOptions {
  /** Default: the policy of that name. */
  readonly policy?: Policy;
  /** Milliseconds since 1970; a clock of the caller's. */
  readonly now: () => number;
  /** What `snapshot()` gave, as it came back from where it was kept. */
  readonly state?: unknown;
  readonly attended?: boolean;
  /** The name of the run. With a saved state: the same name goes on with its tokens, money, turns and time; another one starts at zero. */
  readonly run?: string;
  readonly tools?: readonly Tool[];
  readonly digest?: Digest;
  /** Takes secrets out of the one line of a result that a message may quote; default: `maskSecrets`. */
  readonly redact?: (line: string) => string;
  readonly words?: Words;
  readonly emit?: (event: GuardianEvent) => void;
}

const UNREADABLE = "<unreadable>";

export type CallDecision = { readonly allow: true } | { readonly allow: false; readonly message: string };

/** A call that is about to be made. */
export interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly kind?: ToolKind;
  /** The tool's own key for "the same call", in place of its arguments. */
  readonly key?: string;
}

/** A signal whose time may be left to the guardian's own clock. */
export type SignalInput = { [T in SignalType]: Omit<SignalOf<T>, "at"> & { readonly at?: number } }[SignalType];

/** The guardian with its memory: three things a loop needs, and one door for the rest. Its methods are called on it (`guardian.endTurn()`), and what it is told stays as it was told. */
export interface Guardian {
  /** Asked before a call is run. A refusal's message goes to the model in place of the result. */
  beforeCall(call: PlannedCall): CallDecision;
  /** The same for all calls of a reply at once, before any of them is run. */
  beforeCalls(calls: readonly PlannedCall[]): readonly CallDecision[];
  /** Told how a call ended. A refused call needs none. */
  afterCall(id: string, result: RawResult): void;
  /** All calls of the turn have their results: what to tell the model now, each once, whenever in the turn it was decided. Without it the guardian stays silent. */
  endTurn(): readonly Intervention[];
  /** The model streams something. An `interrupt` means: end the stream, cut its `surplus` off, run none of its calls, and end the turn. */
  delta(channel: Channel, text: string): readonly Intervention[];
  /** A message came in; a person's excuses looking again. */
  userMessage(origin: Origin): void;
  /** A reply without calls was made; `length` where it was cut off. */
  message(text: string, stop?: SignalOf<"reply">["stop"]): void;
  /** Every other signal; returns what it led to. An `interrupt` or a `stop` is for the loop to act on now, a `deny` refuses what was asked for; what the model is told comes with `endTurn`. */
  observe(signal: SignalInput): readonly Intervention[];
  /** Whether little is left of the tokens or the money: 512 tokens, a tenth of a cost limit, unless told otherwise. */
  nearBudget(reserve?: Reserve): boolean;
  /** The detectors whose warnings brought no change: what a run that started this one should hear of it (`child-end`). Empty where it did its work. */
  findings(): readonly DetectorName[];
  /** Set once the run has to end, with what to say about it. */
  readonly stop: Stop | undefined;
  /** The state to save with the turn; plain JSON. */
  snapshot(): GuardianState;
}

/** A guardian for one session. It is told what the agent does and answers what to do about it; it does nothing by itself. */
export function createGuardian(options: GuardianOptions): Guardian {
  return new SessionGuardian(options);
}

class SessionGuardian implements Guardian {
  readonly #options: GuardianOptions;
  readonly #policy: Policy;
  readonly #words: Words;
  readonly #senses: PerceiveOptions;
  readonly #emit: (event: GuardianEvent) => void;
  #state: Draft;
  #untold: readonly Intervention[];
  /** What was streamed and not heard yet. */
  #channel: Channel = "text";
  #text = "";

  constructor(options: GuardianOptions) {
    this.#options = options;
    this.#policy = checkPolicy(options.policy ?? defaultPolicy);
    this.#words = guarded(options.words ?? plainWords, plainWords);
    this.#emit = guarded(options.emit ?? (() => {}), () => {});
    const digest = options.digest ?? plainDigest;
    this.#senses = {
      digest,
      redact: guarded(options.redact ?? redactSecrets, () => ""),
      argumentChars: this.#policy.argumentChars,
    };
    const restored = options.state === undefined ? undefined : restoreState(options.state, digest.name);
    this.#state = draftOf(restored?.state ?? initialState(digest.name));
    this.#untold = this.#state.pending;
    if (restored?.note !== undefined) this.#emit({ type: "restored", note: restored.note });
    const tools = (options.tools ?? []).map(({ name, kind, annotations }) => ({
      name,
      kind: kind ?? annotatedKind(annotations),
    }));
    this.#send({ type: "run-start", attended: options.attended ?? false, tools, run: options.run });
  }

  get stop(): Stop | undefined {
    return this.#state.stopped;
  }

  beforeCall(call: PlannedCall): CallDecision {
    return this.beforeCalls([call])[0] as CallDecision; // one for each
  }

  beforeCalls(calls: readonly PlannedCall[]): readonly CallDecision[] {
    const asked = this.stop === undefined ? calls : [];
    const answers = asked.flatMap((call) => {
      const { kind, print } = perceive(call, this.#senses);
      return this.#send({ type: "call", id: String(call.id), tool: String(call.tool), kind, print, of: calls.length })
        .interventions; // from a model, by way of callers without types
    });
    return calls.map((call) => this.#verdictOn(call, answers));
  }

  afterCall(id: string, result: RawResult): void {
    const print = openCall(this.#state, String(id))?.call;
    const { findings } = this.#state;
    this.#send({ type: "result", id: String(id), outcome: perceiveEnd(result, print, this.#senses.digest) });
    if (this.#state.findings === findings) return;
    const excerpt = quoted(result, this.#senses.redact);
    this.#state.findings = this.#state.findings.map((finding) =>
      findings.includes(finding) ? finding : { ...finding, excerpt },
    );
  }

  endTurn(): readonly Intervention[] {
    this.#send({ type: "turn-end" });
    const told = this.#untold;
    this.#untold = [];
    return told;
  }

  /** Small deltas are gathered until there is enough to look at. */
  delta(channel: Channel, text: string): readonly Intervention[] {
    if (channel !== this.#channel && this.#text !== "") this.#hear();
    this.#channel = channel;
    this.#text += text;
    return (this.#state.streams[channel]?.fresh ?? 0) + this.#text.length < LOOK ? [] : this.#hear();
  }

  userMessage(origin: Origin): void {
    this.observe({ type: "user-message", origin });
  }

  message(text: string, stop: SignalOf<"reply">["stop"] = "end"): void {
    const said = String(text ?? ""); // from a model, by way of callers without types
    this.#send({ type: "reply", stop, calls: 0, words: perceiveText(said), size: said.length });
  }

  /** What is no signal is ignored, and that is said. */
  observe(signal: SignalInput): readonly Intervention[] {
    const at = signal?.at ?? this.#now();
    if (isWellFormed(signal, at)) return this.#send(signal, at).interventions;
    this.#emit({ type: "ignored", signal: String(fields(signal)["type"]) });
    return [];
  }

  findings(): readonly DetectorName[] {
    return this.#state.episodes.filter(isUnsolved).map((episode) => episode.detector);
  }

  nearBudget(reserve?: Reserve): boolean {
    return nearBudget(this.#policy, this.#state, reserve);
  }

  snapshot(): GuardianState {
    const state = this.#state;
    const findings = state.findings.map(withoutExcerpt);
    return {
      ...state,
      clock: { ...state.clock },
      limits: { ...state.limits },
      streams: noStreams,
      pending: this.#untold.slice(-bounds.untold),
      findings,
    };
  }

  #now(): number {
    const at = this.#options.now();
    return Number.isFinite(at) ? at : this.#state.clock.at;
  }

  #send(signal: SignalInput, at = this.#now()): Said {
    if (this.#text !== "") this.#hear();
    const { run, broken: before } = this.#state;
    const said = this.#take(signal as Signal, at); // its time is beside it
    const { broken } = this.#state;
    if (broken !== before)
      for (const detector of broken.slice(before?.length)) this.#emit({ type: "detector-off", detector }); // before, of a saved state, may be no list
    if (this.#state.run !== run) this.#untold = [];
    if (said === silent) return said;
    for (const intervention of said.interventions) this.#emit({ type: "intervention", intervention });
    for (const episode of said.recovered) this.#emit({ type: "recovered", episode });
    this.#untold = stillToTell(this.#untold, said);
    return said;
  }

  /** A state that makes the step throw was not made by it: what is left is to begin again, and to say so. */
  #take(signal: Signal, at: number): Said {
    try {
      passTime(this.#state, at);
      return fold(this.#policy, this.#state, signal, this.#words);
    } catch {
      this.#emit({ type: "restored", note: "the guardian state cannot be read; starting afresh" });
      this.#state = draftOf(initialState(this.#senses.digest.name));
      passTime(this.#state, at);
      return fold(this.#policy, this.#state, signal, this.#words);
    }
  }

  /** What was gathered of a stream is heard before anything else happens. */
  #hear(): readonly Intervention[] {
    const text = this.#text;
    this.#text = "";
    return this.observe({ type: "delta", channel: this.#channel, text });
  }

  /** What the guardian says to a call, now that it was asked about all that are planned with it. */
  #verdictOn({ id }: PlannedCall, answers: readonly Intervention[]): CallDecision {
    const callId = String(id);
    for (const { denies, isApplied, message } of answers)
      if (denies?.callId === short(callId, bounds.id) && isApplied) return { allow: false, message };
    if (this.stop === undefined) return { allow: true };
    const { reason } = this.stop;
    this.#emit({ type: "refused", callId, reason });
    return { allow: false, message: ended(reason) };
  }
}

/** What cannot be read is perceived as such. */
const perceive = guarded(perceiveCall, ({ tool }, senses) => perceiveCall({ tool, args: UNREADABLE }, senses));
const perceiveEnd = guarded(printOutcome, (result, call, digest) =>
  printOutcome({ status: result?.status ?? "error", content: UNREADABLE }, call, digest),
);
const quoted = guarded(quote, () => UNREADABLE);

/** What is still to be told: not what was meant for another run, nor what a person has settled since. */
function stillToTell(untold: readonly Intervention[], { interventions, recovered }: Said): readonly Intervention[] {
  const unsettled = untold.filter(({ id }) => !recovered.some((episode) => id.startsWith(`${episode}/`)));
  return [...unsettled, ...interventions.filter(isForModel)];
}

/** A warning that was heard and not heeded. */
function isUnsolved({ level, isClosed, isObserveOnly }: Episode): boolean {
  return !isClosed && !isObserveOnly && level !== undefined && level !== "hint";
}

/** Told to the model, and not to people only; what refuses one call or ends the run is heard where that happens. */
function isForModel({ effect, denies, isForUser, isApplied }: Intervention): boolean {
  return isApplied && effect !== "stop" && denies === undefined && isForUser === undefined;
}

/** What a caller's function gives, or the next best where it throws: no one's slip may end the run it watches. */
function guarded<A extends unknown[], R>(call: (...args: A) => R, instead: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return call(...args);
    } catch {
      return instead(...args); // becomes a value: plain words, nothing quoted
    }
  };
}

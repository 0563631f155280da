import { bounds, short } from "./bounds.ts";
import { checkPolicy } from "./check-policy.ts";
import { defaultPolicy } from "./default-policy.ts";
import type { Episode } from "./episode.ts";
import { fields } from "./fields.ts";
import type { Intervention } from "./intervention.ts";
import { LOOK } from "./judge/detectors/chant-tail.ts";
import { known } from "./known.ts";
import { nearBudget, type Reserve } from "./limits.ts";
import { plainDigest } from "./perceive/hash.ts";
import { annotatedKind, type ToolAnnotations } from "./perceive/kind.ts";
import { maskSecrets } from "./perceive/mask-secrets.ts";
import { perceiveCall, perceiveOutcome, perceiveText, type RawResult, type Senses } from "./perceive/perceive.ts";
import type { Digest } from "./perceive/print.ts";
import type { DetectorName, Policy } from "./policy.ts";
import { restoreState } from "./restore.ts";
import type { Channel, Origin, Signal, SignalOf, SignalType, ToolKind } from "./signal.ts";
import { type GuardianState, initialState, noStreams } from "./state.ts";
import { fold } from "./step.ts";
import type { Step } from "./step-result.ts";
import type { Stop } from "./stop.ts";
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

export type Verdict = { readonly allow: true } | { readonly allow: false; readonly message: string };

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
export type Told = { [T in SignalType]: Omit<SignalOf<T>, "at"> & { readonly at?: number } }[SignalType];

/** The guardian with its memory: three things a loop needs, and one door for the rest. */
export interface Guardian {
  /** Asked before a call is run. A refusal's message goes to the model in place of the result. */
  beforeCall(call: PlannedCall): Verdict;
  /** The same for all calls of a reply at once, before any of them is run. */
  beforeCalls(calls: readonly PlannedCall[]): readonly Verdict[];
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
  observe(signal: Told): readonly Intervention[];
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
  const policy = checkPolicy(options.policy ?? defaultPolicy);
  const words = guarded(options.words ?? plainWords, plainWords);
  const senses: Senses = {
    digest: options.digest ?? plainDigest,
    redact: guarded(options.redact ?? maskSecrets, () => ""),
    ...known({ argumentChars: policy.argumentChars }),
  };
  const emit = guarded(options.emit ?? (() => {}), () => {});
  const perceive = guarded(perceiveCall, (call) => perceiveCall({ tool: call.tool, args: UNREADABLE }, senses));
  const perceiveEnd = guarded(perceiveOutcome, (result, call) => perceiveOutcome({ status: result?.status ?? "error", content: UNREADABLE }, call, senses));
  const restored = options.state === undefined ? undefined : restoreState(options.state, senses.digest.name);
  let state = restored?.state ?? initialState(senses.digest.name);
  if (restored?.note !== undefined) emit({ type: "restored", note: restored.note });

  /** A state that makes the step throw was not made by it: what is left is to begin again, and to say so. */
  function startAfresh(signal: Signal): Step {
    emit({ type: "restored", note: "the guardian state cannot be read; starting afresh" });
    return fold(policy, initialState(senses.digest.name), signal, words);
  }
  const take = guarded((signal: Signal) => fold(policy, state, signal, words), startAfresh);

  function now(): number {
    const at = options.now();
    return Number.isFinite(at) ? at : state.clock.at;
  }

  let untold: readonly Intervention[] = state.untold;
  let gathered: { readonly channel: Channel; readonly text: string } = { channel: "text", text: "" };

  function send(signal: Signal): Step {
    if (gathered.text !== "") hear();
    const off = state.broken?.length ?? 0; // of a saved state, not yet seen to be one
    const { run } = state;
    const taken = take(signal);
    state = taken.state;
    for (const detector of state.broken.slice(off)) emit({ type: "detector-off", detector });
    for (const intervention of taken.interventions) emit({ type: "intervention", intervention });
    for (const episode of taken.recovered) emit({ type: "recovered", episode });
    untold = stillToTell(state.run === run ? untold : [], taken);
    return taken;
  }

  /** What was gathered of a stream is heard before anything else happens. */
  function hear(): readonly Intervention[] {
    const { channel, text } = gathered;
    gathered = { channel, text: "" };
    return tell({ type: "delta", at: now(), channel, text });
  }

  /** Sends what a caller has made. What is no signal is ignored, and that is said. */
  function tell(signal: Signal): readonly Intervention[] {
    if (isWellFormed(signal)) return send(signal).interventions;
    emit({ type: "ignored", signal: String(fields(signal)["type"]) });
    return [];
  }

  function ask(call: PlannedCall, of?: number): readonly Intervention[] {
    const tool = String(call.tool); // from a model, by way of callers without types
    return send({ type: "call", at: now(), id: String(call.id), tool, ...perceive({ ...call, tool }, senses), ...known({ of }) }).interventions;
  }

  /** What the guardian says to a call, now that it was asked about all that are planned with it. */
  function verdictOn({ id }: PlannedCall, answers: readonly Intervention[]): Verdict {
    const callId = String(id);
    const denial = answers.find((each) => each.denies?.callId === short(callId, bounds.id) && each.isApplied);
    if (denial !== undefined) return { allow: false, message: denial.message };
    if (state.stopped === undefined) return { allow: true };
    emit({ type: "refused", callId, reason: state.stopped.reason });
    return { allow: false, message: ended(state.stopped.reason) };
  }

  const tools = (options.tools ?? []).map(({ name, kind, annotations }) => ({ name, ...known({ kind: kind ?? annotatedKind(annotations) }) }));
  send({ type: "run-start", at: now(), attended: options.attended ?? false, tools, ...known({ run: options.run }) });

  return {
    beforeCall: (call) => verdictOn(call, state.stopped === undefined ? ask(call) : []),
    beforeCalls(calls) {
      const answers = state.stopped === undefined ? calls.flatMap((call) => ask(call, calls.length)) : [];
      return calls.map((call) => verdictOn(call, answers));
    },
    afterCall(id, result) {
      const print = state.open.find((call) => call.id === short(String(id), bounds.id))?.call;
      send({ type: "result", at: now(), id: String(id), outcome: perceiveEnd(result, print, senses) });
    },
    endTurn() {
      send({ type: "turn-end", at: now() });
      const told = untold;
      untold = [];
      return told;
    },
    // Small deltas are gathered until there is enough to look at.
    delta(channel, text) {
      if (channel !== gathered.channel && gathered.text !== "") hear();
      gathered = { channel, text: gathered.text + text };
      return (state.streams[channel]?.fresh ?? 0) + gathered.text.length < LOOK ? [] : hear();
    },
    userMessage(origin) {
      tell({ type: "user-message", at: now(), origin });
    },
    message(text, stop = "end") {
      const said = String(text ?? ""); // from a model, by way of callers without types
      send({ type: "reply", at: now(), stop, calls: 0, words: perceiveText(said), size: said.length });
    },
    observe: (signal) => tell(Object.assign({}, signal, { at: signal?.at ?? now() }) as Signal), // of its type, by `Told`; not a spread, for signals of few shapes
    findings: () => state.episodes.filter(isUnsolved).map((episode) => episode.detector),
    nearBudget: (reserve) => nearBudget(policy, state, reserve),
    get stop() {
      return state.stopped;
    },
    snapshot: () => ({ ...state, streams: noStreams, untold: untold.slice(-bounds.untold), found: state.found.map(({ excerpt: _, ...finding }) => finding) }),
  };
}

/** What is still to be told: not what was meant for another run, nor what a person has settled since. */
function stillToTell(untold: readonly Intervention[], { interventions, recovered }: Step): readonly Intervention[] {
  if (interventions.length === 0 && recovered.length === 0) return untold;
  const unsettled = untold.filter(({ id }) => !recovered.some((episode) => id.startsWith(`${episode}/`)));
  return [...unsettled, ...interventions.filter(isForModel)];
}

/** A warning that was heard and not heeded. */
function isUnsolved({ level, isClosed, isUnheard }: Episode): boolean {
  return !isClosed && !isUnheard && level !== undefined && level !== "hint";
}

/** Told to the model, and not to people only; what refuses one call or ends the run is heard where that happens. */
function isForModel({ effect, denies, isForPeople, isApplied }: Intervention): boolean {
  return isApplied && effect !== "stop" && denies === undefined && isForPeople === undefined;
}

/** What a caller's function gives, or the next best where it throws: no one's slip may end the run it watches. */
function guarded<A extends unknown[], R>(call: (...args: A) => R, instead: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return call(...args);
    } catch {
      return instead(...args); // becomes a value: plain words, nothing quoted, an event that nobody heard
    }
  };
}

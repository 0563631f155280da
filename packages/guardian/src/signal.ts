import type { CallPrint, OutcomePrint, Sketch } from "./perceive/print.ts";
import type { ToolKind } from "./perceive/tool-kind.ts";
import type { DetectorName } from "./policy/detector-rungs.ts";
import type { LimitName } from "./policy/limit.ts";

/**
 * The author of a message. A person's message excuses looking again; an automatic one (continue, resume, stop hook)
 * excuses nothing; a scheduled one (heartbeat, cron) starts a fresh count.
 */
export const origins = ["person", "automatic", "scheduled"] as const;
export type Origin = (typeof origins)[number];

/** What a run is waiting for. A stall is handled differently for each. */
export const waitings = ["first-byte", "stream", "tool", "approval", "child", "rate-limit", "nothing"] as const;
export type WaitingFor = (typeof waitings)[number];

/** What a second opinion says about the newest calls. */
export const verdicts = ["stuck", "working", "unsure"] as const;
export type Verdict = (typeof verdicts)[number];

/** What a judge says about an answer. */
export const judgeVerdicts = ["accept", "retry", "escalate", "continue"] as const;
export type JudgeVerdict = (typeof judgeVerdicts)[number];

/** The part of a reply that is being streamed. */
export const channels = ["text", "thinking", "tool-input"] as const;
export type Channel = (typeof channels)[number];

/** Why a reply ended. */
export type ReplyStop = "end" | "calls" | "length" | "refused" | "incomplete";

/**
 * Totals used so far, in tokens and nano-dollars. `context` is in percent, for callers that send no `context` in
 * tokens.
 */
export type UsageTotals = Readonly<Partial<Record<Exclude<LimitName, "turns" | "time">, number>>>;

/** The size of the context, and the percentage of it at which the caller compacts the history, if it does. */
export interface ContextSize {
  readonly tokens: number;
  readonly max: number;
  readonly compactsAt?: number | undefined;
}

/** A tool as announced at the start of a run; without a kind, the kind of each call is inferred. */
export interface AnnouncedTool {
  readonly name: string;
  readonly kind?: ToolKind | undefined;
}

/**
 * A run starts or resumes. The same `run`, or none, resumes; another one starts its own tokens, money, turns and time.
 */
interface RunStartSignal {
  readonly type: "run-start";
  readonly attended: boolean;
  readonly tools: readonly AnnouncedTool[];
  readonly run?: string | undefined;
}

interface UserMessageSignal {
  readonly type: "user-message";
  readonly origin: Origin;
}

/** A reply starts to stream, perhaps again after a retry. */
interface StreamStartSignal {
  readonly type: "stream-start";
}

interface DeltaSignal {
  readonly type: "delta";
  readonly channel: Channel;
  readonly text: string;
}

interface ReplySignal {
  readonly type: "reply";
  readonly stop: ReplyStop;
  readonly calls: number;
  readonly words: Sketch;
  /** Characters of the reply. */
  readonly size?: number;
}

/** A call is about to be executed. */
interface CallSignal {
  readonly type: "call";
  readonly id: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly print: CallPrint;
  /** The number of calls of the reply, when it is known before the first is executed. */
  readonly of?: number | undefined;
}

interface ResultSignal {
  readonly type: "result";
  readonly id: string;
  readonly outcome: OutcomePrint;
}

/** All calls of the turn have their results. */
interface TurnEndSignal {
  readonly type: "turn-end";
}

/** Totals, sent after a request was recorded and compaction was tried. */
interface UsageSignal {
  readonly type: "usage";
  readonly used: UsageTotals;
  /** False when the price of some of it is unknown. */
  readonly isPriced: boolean;
  /** Money that other requests hold, so that the next request does not fit under the limit: it counts as reached. */
  readonly reserved?: Readonly<Partial<Record<LimitName, number>>>;
  /** What the next request is estimated at, if it does not fit under the limit: it counts as reached. */
  readonly needed?: Readonly<Partial<Record<LimitName, number>>>;
  readonly context?: ContextSize;
  /** The names of the day and the month of the totals; another name starts a new budget. */
  readonly day?: string;
  readonly month?: string;
  /** The subagent that the totals belong to; they count towards this run as well. */
  readonly child?: string;
}

/** A user changes a limit while the run is running; it replaces the limit of the policy. */
interface LimitSignal {
  readonly type: "limit";
  readonly limit: LimitName;
  readonly warn?: number;
  readonly stop?: number;
}

interface CompactedSignal {
  readonly type: "compacted";
}

interface WaitingSignal {
  readonly type: "waiting";
  readonly for: WaitingFor;
}

/** A subagent is about to start. */
interface ChildStartSignal {
  readonly type: "child-start";
  readonly id: string;
  readonly depth: number;
}

interface ChildEndSignal {
  readonly type: "child-end";
  readonly id: string;
  readonly depth: number;
  /** The detectors whose warnings changed nothing in the subagent. */
  readonly findings: readonly DetectorName[];
}

/** A user says that a repetition is fine. At least one of the fields is set. */
interface MuteSignal {
  readonly type: "mute";
  readonly detector?: DetectorName;
  readonly tool?: string;
  /** The exact print of a call. */
  readonly call?: string;
  /** The id of an episode: its blocks and the stop it caused are lifted, and it brings no further intervention. */
  readonly episode?: string;
}

/** A user lifts mutes: that of an episode, or those of a detector, a tool or a call. At least one field is set. */
interface UnmuteSignal {
  readonly type: "unmute";
  /** With `tool` or `call`, only the mutes of all of them are lifted. */
  readonly detector?: DetectorName;
  readonly tool?: string;
  /** The exact print of a call. */
  readonly call?: string;
  /** The id of an episode: it continues at the level that it would have without the mute. */
  readonly episode?: string;
}

/** The answer to a request for a second opinion, with one sentence of advice for the agent. */
interface OpinionSignal {
  readonly type: "opinion";
  /** The id of the request. */
  readonly request: string;
  readonly verdict: Verdict;
  readonly advice?: string;
}

/** A judge has compared an answer, a reply without calls, with the goal. `retry` and `continue` refuse it. */
interface VerdictSignal {
  readonly type: "verdict";
  readonly verdict: JudgeVerdict;
  /** What is missing, in the words of the judge. The state stores the hash of each word. */
  readonly hint?: string | undefined;
}

/** Time has passed. */
interface TickSignal {
  readonly type: "tick";
}

/**
 * The guardian's input. `at` is the wall-clock time in milliseconds.
 * Signals hold prints, never arguments or results. The exceptions are the text of a `delta`, which is dropped with the
 * reply, the advice of an `opinion`, and the hint of a `verdict`, which is not stored.
 */
export type Signal = { readonly at: number } & (
  | RunStartSignal
  | UserMessageSignal
  | StreamStartSignal
  | DeltaSignal
  | ReplySignal
  | CallSignal
  | ResultSignal
  | TurnEndSignal
  | UsageSignal
  | LimitSignal
  | CompactedSignal
  | WaitingSignal
  | ChildStartSignal
  | ChildEndSignal
  | MuteSignal
  | UnmuteSignal
  | OpinionSignal
  | VerdictSignal
  | TickSignal
);

export type SignalType = Signal["type"];

/** The signal of one type. */
export type SignalOf<T extends SignalType> = Extract<Signal, { readonly type: T }>;

/** A signal whose time may be left to the guardian's own clock. */
export type SignalInput = { [T in SignalType]: Omit<SignalOf<T>, "at"> & { readonly at?: number } }[SignalType];

import type { Intervention } from "./intervention.ts";
import type { Chant, Stream } from "./judge/detectors/chant-tail.ts";
import type { Advice, Finding } from "./judge/finding.ts";
import { hashWord } from "./perceive/hash.ts";
import type { CallPrint, OutcomePrint, Sketch } from "./perceive/print.ts";
import type { DetectorName, Level, Limit, LimitName } from "./policy.ts";
import type { Channel, ToolKind, WaitingFor } from "./signal.ts";

/** One finished call. */
export interface Observation {
  /** 0-based, over all calls of the session. */
  readonly index: number;
  readonly turn: number;
  /** How often a person had spoken, a schedule had fired, the history had been compacted, before this call. */
  readonly personTurn: number;
  readonly schedule: number;
  readonly compaction: number;
  /** Changes of the world before this call. */
  readonly epoch: number;
  /** Time passed in the session when the call was made, and how long it took; in milliseconds. */
  readonly atMs: number;
  readonly ms: number;
  /** What the run had cost when the call was made, where that is known. */
  readonly costNanoUsd?: number;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly outcome: Omit<OutcomePrint, "excerpt">;
  /** The largest evidence that this call repeats an earlier one, before and after the discount for what lay between. */
  readonly likeness: number;
  readonly redundancy: number;
  /** Part of an episode that a change of the world has closed: it counts against nobody any more. */
  readonly isSettled?: true;
}

/** What is kept of a call that has left the ring of observations: enough to know it again when it comes back exactly. */
export type Trace = readonly [
  index: number,
  turn: number,
  personTurn: number,
  schedule: number,
  epoch: number,
  kind: ToolKind,
  call: string,
  outcome: string,
  isSettled: 0 | 1,
];

/** A call without its result. */
export interface OpenCall {
  readonly id: string;
  readonly index: number;
  readonly turn: number;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly call: CallPrint;
  readonly atMs: number;
}

/** A call that was refused before it was made, by its exact print. */
export type Refused = readonly [index: number, turn: number, personTurn: number, call: string];

/** All interventions about one cause, from the first until the run recovered or ended. */
export interface Episode {
  readonly id: string;
  readonly cause: string;
  readonly detector: DetectorName;
  /** Index of the first call that belongs to it, and of the newest ones. */
  readonly since: number;
  readonly calls: readonly number[];
  readonly count: number;
  /** The highest level said so far, the turn it was said in, and the turn of the newest finding. */
  readonly level: Level | undefined;
  readonly saidInTurn: number;
  readonly heardInTurn: number;
  readonly tool: string;
  readonly words: Sketch;
  /** The calls that are refused, each with what is known of it. */
  readonly blocks: readonly Block[];
  /** Said in `observe` only: nobody has heard it. */
  readonly isUnheard?: true;
  readonly denials: number;
  /** The turn of the newest refusal of something planned: those of one turn count once. */
  readonly deniedInTurn?: number;
  /** Novel calls since the newest evidence; 5 of them close the episode. */
  readonly novelCalls: number;
  readonly isClosed: boolean;
  /** What the run had cost at the first of its calls, in nano-dollars. */
  readonly costAtOnset: number;
}

/** A call that is refused, and why. */
export interface Block {
  readonly print: string;
  readonly detector: DetectorName;
  readonly count: number;
  readonly advice: Advice;
}

/** A person's word that something is fine. */
export interface Mute {
  readonly detector?: DetectorName;
  readonly tool?: string;
  readonly call?: string;
}

/** Why the run has to end. */
export interface Stop {
  readonly reason: StopReason;
  readonly intervention: string;
  readonly message: string;
}

export type StopReason =
  | "doom_loop"
  | "no_progress"
  | "tool_failures"
  | "side_effects"
  | "denials"
  | "chant"
  | "monologue"
  | "stall"
  | "spawn_limit"
  | "context_budget"
  | "token_budget"
  | "run_budget"
  | "session_budget"
  | "day_budget"
  | "month_budget"
  | "max_turns"
  | "timeout"
  | "internal_error";

/** Everything the guardian remembers: plain JSON, bounded, without arguments or results. A saved state is a contract. */
export interface GuardianState {
  readonly version: 1;
  /** The digest its prints were made with; prints of another cannot be compared. */
  readonly digest: string;
  readonly attended: boolean;
  readonly turn: number;
  readonly calls: number;
  readonly personTurn: number;
  readonly schedule: number;
  readonly compaction: number;
  readonly epoch: number;
  /** The announced tools; null where the kind is inferred from each call. */
  readonly tools: Readonly<Record<string, ToolKind | null>>;
  /** The newest finished calls, oldest first. */
  readonly history: readonly Observation[];
  /** The calls before those, oldest first. */
  readonly past: readonly Trace[];
  readonly open: readonly OpenCall[];
  /** The newest calls that were refused as they were planned. */
  readonly refused: readonly Refused[];
  /** What was found in this turn and has not been told yet; empty between turns. */
  readonly found: readonly Finding[];
  readonly episodes: readonly Episode[];
  readonly opened: number;
  readonly mutes: readonly Mute[];
  /** Decided and not told yet; empty between turns. */
  readonly untold: readonly Intervention[];
  /** Detectors that threw and were switched off. */
  readonly broken: readonly DetectorName[];
  readonly limits: Readonly<Partial<Record<LimitName, Meter>>>;
  /** Limits that a person has set in place of the policy's. */
  readonly ownLimits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly isPriced: boolean;
  /** The run that goes on, where the caller has named it, and its turns. */
  readonly run?: string;
  readonly runTurns: number;
  readonly clock: Clock;
  /** Replies without calls since the last call or message of a person, newest last. */
  readonly messages: readonly Message[];
  /** An automatic message came since the last reply. */
  readonly isNudged: boolean;
  /** The stream that is running, by channel: the one place with text, empty between turns. */
  readonly streams: Readonly<Partial<Record<Channel, Stream>>>;
  /** Set once the stream repeats itself: then nobody listens any more. */
  readonly chanting?: Chant;
  /** Streams that repeated themselves since the last progress. */
  readonly chants: number;
  readonly compacting: Compacting;
  /** The newest sub-agents of this run, and what is remembered of all. */
  readonly children: readonly Child[];
  readonly brood: Brood;
  readonly stopped?: Stop;
}

/** What was used of a limit, and at which values it has spoken. */
export interface Meter {
  readonly used: number;
  readonly warnedAt?: number;
  readonly stoppedAt?: number;
  /** It was said that the price is unknown. */
  readonly isUnpricedSaid?: true;
  /** The day or the month it belongs to. */
  readonly window?: string;
  /** What it is a share of, where it is one: both in tokens. */
  readonly share?: { readonly tokens: number; readonly max: number };
}

/** Time as the sum of gaps between signals, in milliseconds; only `at` is the clock's. */
export interface Clock {
  readonly at: number;
  readonly elapsedMs: number;
  /** Since a sign of life; and the stalls of this reply before that. */
  readonly idleMs: number;
  readonly stalledMs: number;
  /** Of this run, waiting for people and for rate limits left out. */
  readonly workMs: number;
  /** Absent until the caller says it. */
  readonly waitingFor?: WaitingFor;
}

/** A reply without calls. */
export interface Message {
  readonly words: Sketch;
  /** It is short, and answers a message that no person sent. */
  readonly isNudged?: true;
}

/** Compactions that did not help: how many in a row, when the newest was, and whether there has been room since, where that was told. */
interface Compacting {
  readonly count: number;
  readonly turn: number;
  /** Calls and persons' messages before it. */
  readonly events: number;
  readonly isEased?: boolean;
}

/** What a sub-agent has used, while it works and after. */
export interface Child {
  /** A hash of its id. */
  readonly id: string;
  readonly isOver?: true;
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** What is remembered of sub-agents in this run. */
export interface Brood {
  readonly started: number;
  /** When the newest were started, in milliseconds of the session, and how deep below the run. */
  readonly starts: readonly (readonly [atMs: number, depth: number])[];
  /** Sub-agents in a row that ended with findings of their own. */
  readonly stuck: number;
  /** Some of what they used has no price. */
  readonly isUnpriced: boolean;
  /** What those that are no longer known by name have used. */
  readonly tokens: number;
  readonly costNanoUsd: number;
}

/** Nothing is streamed. */
export const noStreams: GuardianState["streams"] = {};

export const noBrood: Brood = { started: 0, starts: [], stuck: 0, isUnpriced: false, tokens: 0, costNanoUsd: 0 };

/** How much of each is kept. Together they hold the state below 64 kB of JSON. */
export const bounds = {
  history: 32,
  past: 144,
  open: 40,
  refused: 64,
  found: 6,
  untold: 8,
  episodes: 10,
  evidence: 16,
  blocks: 8,
  mutes: 16,
  messages: 24,
  children: 128,
  starts: 128,
  tools: 48,
  name: 64,
  id: 64,
} as const;

/** The state of a session in which nothing has happened. */
export function initialState(digest: string): GuardianState {
  return {
    version: 1,
    digest: short(digest, bounds.id),
    attended: false,
    turn: 0,
    calls: 0,
    personTurn: 0,
    schedule: 0,
    compaction: 0,
    epoch: 0,
    tools: {},
    history: [],
    past: [],
    open: [],
    refused: [],
    found: [],
    episodes: [],
    opened: 0,
    mutes: [],
    untold: [],
    broken: [],
    limits: {},
    ownLimits: {},
    isPriced: true,
    runTurns: 0,
    clock: { at: 0, elapsedMs: 0, idleMs: 0, stalledMs: 0, workMs: 0 },
    messages: [],
    isNudged: false,
    streams: noStreams,
    chants: 0,
    compacting: { count: 0, turn: 0, events: 0 },
    children: [],
    brood: noBrood,
  };
}

/** Adds findings; of several about one cause in a turn the newest speaks. */
export function noted(found: readonly Finding[], more: readonly Finding[]): readonly Finding[] {
  const causes = new Set(more.map((finding) => finding.cause));
  return [...found.filter((finding) => !causes.has(finding.cause)), ...more].slice(-bounds.found);
}

/** Names and ids come from elsewhere and may be of any length; what is kept of them may not. */
export function short(text: string, length: number = bounds.name): string {
  if (text.length <= length && isPlain.test(text)) return text;
  return `${text.slice(0, length - 12).replace(beyondPlain, "_")}~${(hashWord(text) >>> 0).toString(36)}`;
}

/** A hash by which a sub-agent is known. */
export function childKey(id: string): string {
  return `${(hashWord(id) >>> 0).toString(36)}.${id.length}`;
}

/** One byte a character in JSON, but for an accent here and there. */
const isPlain = /^[ !#-[\]-~]*$/;
const beyondPlain = /[^ !#-[\]-~]/g;

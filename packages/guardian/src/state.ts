import type { Child, SubagentTotals } from "./brood.ts";
import type { Episode } from "./episode.ts";
import type { Intervention } from "./intervention.ts";
import type { Chant, Stream } from "./judge/detectors/chant-tail.ts";
import type { Finding } from "./judge/finding.ts";
import type { Sketch } from "./perceive/print.ts";
import type { DetectorName, Limit, LimitName } from "./policy.ts";
import type { Observation, OpenCall, Refused, Trace } from "./remembered-calls.ts";
import type { Channel, ToolKind, WaitingFor } from "./signal.ts";
import type { Stop } from "./stop.ts";

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
  readonly findings: readonly Finding[];
  readonly episodes: readonly Episode[];
  readonly opened: number;
  readonly mutes: readonly Mute[];
  /** Decided and not told yet; empty between turns. */
  readonly pending: readonly Intervention[];
  /** Detectors that threw and were switched off. */
  readonly broken: readonly DetectorName[];
  readonly limits: Meters;
  /** Limits that a person has set in place of the policy's. */
  readonly userLimits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly isPriced: boolean;
  /** The run that goes on, where the caller has named it, and its turns. */
  readonly run?: string | undefined;
  readonly runTurns: number;
  readonly clock: Clock;
  /** Replies without calls since the last call or message of a person, newest last. */
  readonly messages: readonly Message[];
  /** An automatic message came since the last reply. */
  readonly isNudged: boolean;
  /** The stream that is running, by channel: the one place with text, empty between turns. */
  readonly streams: Streams;
  /** Set once the stream repeats itself: then nobody listens any more. */
  readonly chanting?: Chant | undefined;
  /** Streams that repeated themselves since the last progress. */
  readonly chants: number;
  readonly compacting: Compacting;
  /** The newest subagents of this run, and what is remembered of all. */
  readonly subagents: readonly Child[];
  readonly subagentTotals: SubagentTotals;
  readonly stopped?: Stop | undefined;
}

/** What is heard on each channel. */
export type Streams = Readonly<Partial<Record<Channel, Stream | undefined>>>;

/** What was used of each limit. */
export type Meters = Readonly<Partial<Record<LimitName, Meter | undefined>>>;

/** What was used of a limit, and at which values it has spoken. */
export interface Meter {
  readonly used: number;
  readonly warnedAt?: number | undefined;
  readonly stoppedAt?: number | undefined;
  /** It was said that the price is unknown. */
  readonly isUnpricedSaid?: true | undefined;
  /** The day or the month it belongs to. */
  readonly window?: string | undefined;
  /** What it is a share of, where it is one: both in tokens. */
  readonly share?: { readonly tokens: number; readonly max: number } | undefined;
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
  readonly waitingFor?: WaitingFor | undefined;
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

/** A person's word that something is fine. */
export interface Mute {
  readonly detector?: DetectorName | undefined;
  readonly tool?: string | undefined;
  readonly call?: string | undefined;
}

/** Nothing is streamed. All fields are named, so that its copies keep its shape whichever is set: that keeps reading fast. */
export const noStreams: Streams = { text: undefined, thinking: undefined, "tool-input": undefined };

/** Nothing was told of any limit. All fields are named, here as well. */
export const noMeters: Meters = {
  context: undefined,
  "run-tokens": undefined,
  "run-cost": undefined,
  "session-cost": undefined,
  "day-cost": undefined,
  "month-cost": undefined,
  time: undefined,
  turns: undefined,
};

import { bounds, short } from "./bounds.ts";
import { type Brood, type Child, noBrood } from "./brood.ts";
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

/** A person's word that something is fine. */
export interface Mute {
  readonly detector?: DetectorName;
  readonly tool?: string;
  readonly call?: string;
}

/** Nothing is streamed. */
export const noStreams: GuardianState["streams"] = {};

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

import type { Sketch } from "../perceive/print.ts";
import type { ToolKind } from "../perceive/tool-kind.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { Limit, LimitName } from "../policy/limit.ts";
import type { StopReason } from "../policy/stop-reason.ts";
import type { ContextSize, WaitingFor } from "../signal.ts";
import type { Episode } from "./episode.ts";
import type { Finding } from "./finding.ts";
import type { Intervention } from "./intervention.ts";
import type { Observation, RefusedCall, Trace, UnansweredCall } from "./observation.ts";
import type { Chant, Streams } from "./stream.ts";
import type { SubagentTotals, SubagentUsage } from "./subagents.ts";

/** Everything the guardian remembers: plain JSON, bounded, without arguments or results. */
export interface GuardianState {
  readonly version: 1;
  /** The digest of its prints; prints of different digests cannot be compared. */
  readonly digest: string;
  readonly attended: boolean;
  readonly turn: number;
  readonly callCount: number;
  /** Messages of a person, scheduled prompts and compactions so far. */
  readonly personTurn: number;
  readonly scheduledPrompts: number;
  readonly compactions: number;
  /** Changes of the world so far. */
  readonly epoch: number;
  /** The announced tools; null when the kind is inferred from each call. */
  readonly tools: Readonly<Record<string, ToolKind | null>>;
  /** The newest finished calls, oldest first. */
  readonly history: readonly Observation[];
  /** The calls before those, oldest first. */
  readonly traces: readonly Trace[];
  readonly unanswered: readonly UnansweredCall[];
  /** The newest calls that were refused before they were made. */
  readonly refusedCalls: readonly RefusedCall[];
  /** Findings of this turn; empty between turns. */
  readonly findings: readonly Finding[];
  readonly episodes: readonly Episode[];
  /** The number of ids given to episodes and single interventions. */
  readonly issuedIds: number;
  readonly mutes: readonly Mute[];
  /** Interventions that `endTurn` has not returned yet; empty between turns. */
  readonly pending: readonly Intervention[];
  /** Detectors that threw and were switched off. */
  readonly brokenDetectors: readonly DetectorName[];
  readonly limits: Meters;
  /** Limits set by a user, in place of the policy's. */
  readonly userLimits: Readonly<Partial<Record<LimitName, Limit>>>;
  readonly isPriced: boolean;
  /** The current run, if the caller has named it, and its turns. */
  readonly run?: string | undefined;
  readonly runTurns: number;
  readonly clock: Clock;
  /** Replies without calls since the last call or message of a person, newest last. */
  readonly textReplies: readonly TextReply[];
  /** An automatic message came since the last reply. */
  readonly isNudged: boolean;
  /** The hints about answers that a judge refused one after the other, by their words; newest last. */
  readonly refusedAnswers: readonly Sketch[];
  /** The running streams. The only place with text; empty between turns. */
  readonly streams: Streams;
  /** Set once a stream repeats itself; the rest of the stream is not inspected. */
  readonly chant?: Chant | undefined;
  /** Streams that repeated themselves since the last progress. */
  readonly chantCount: number;
  readonly compactionStreak: CompactionStreak;
  /** The newest subagents of this run. */
  readonly subagents: readonly SubagentUsage[];
  readonly subagentTotals: SubagentTotals;
  readonly stopped?: Stop | undefined;
}

/** Why the run has to end. */
export interface Stop {
  readonly reason: StopReason;
  /** The id of the intervention. */
  readonly intervention: string;
  readonly message: string;
}

/** The usage of each limit. */
export type Meters = Readonly<Partial<Record<LimitName, Meter>>>;

/** The usage of a limit, and the values at which it has warned and stopped. */
export interface Meter {
  readonly used: number;
  /** Held by other requests, so that the next one does not fit. */
  readonly reserved?: number | undefined;
  /** What the next request is estimated at, if it does not fit. */
  readonly needed?: number | undefined;
  readonly warnedAt?: number | undefined;
  readonly stoppedAt?: number | undefined;
  /** The unknown price was reported. */
  readonly isUnpricedReported?: true | undefined;
  /** The day or the month it belongs to. */
  readonly window?: string | undefined;
  /** The tokens behind a percentage. */
  readonly share?: ContextSize | undefined;
}

/** Time as the sum of gaps between signals, in milliseconds; only `at` is wall-clock time. */
export interface Clock {
  readonly at: number;
  readonly elapsedMs: number;
  /** Since the last sign of life. */
  readonly idleMs: number;
  /** Time of this reply in which it has neither ended nor begun a call. */
  readonly replyMs: number;
  /** Stalls of this reply before its last sign of life. */
  readonly stalledMs: number;
  /** Time of this run without waiting for approvals. */
  readonly workMs: number;
  /** Absent until the caller sends it. */
  readonly waitingFor?: WaitingFor | undefined;
}

/** A reply without calls. */
export interface TextReply {
  readonly words: Sketch;
  /** It is short, and answers a message that no person sent. */
  readonly isNudged?: true;
}

/** Compactions in a row that did not help. */
interface CompactionStreak {
  readonly count: number;
  /** The turn of the newest, and the number of calls and messages of a person before it. */
  readonly turn: number;
  readonly events: number;
  /** Whether the context had room since then, if the caller has sent its size. */
  readonly isEased?: boolean;
}

/** A user's statement that a repetition is fine. */
export interface Mute {
  readonly detector?: DetectorName | undefined;
  readonly tool?: string | undefined;
  readonly call?: string | undefined;
}

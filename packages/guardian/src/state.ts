import type { Advice, Finding } from "./judge/finding.ts";
import { hashWord } from "./perceive/hash.ts";
import type { CallPrint, OutcomePrint, Sketch } from "./perceive/print.ts";
import type { DetectorName, Level, LimitName } from "./policy.ts";
import type { ToolKind, WaitingFor } from "./signal.ts";

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
  /** What was found in this turn and has not been told yet; empty between turns. */
  readonly found: readonly Finding[];
  readonly episodes: readonly Episode[];
  readonly opened: number;
  readonly mutes: readonly Mute[];
  /** Detectors that threw and were switched off. */
  readonly broken: readonly DetectorName[];
  readonly limits: Readonly<Partial<Record<LimitName, { readonly used: number; readonly said?: "warn" | "stop" }>>>;
  readonly isPriced: boolean;
  readonly clock: { readonly at: number; readonly elapsedMs: number; readonly idleMs: number; readonly waitingFor: WaitingFor };
  /** Replies without calls, newest last, and the tail of the stream: the one place with text, empty from `reply` on. */
  readonly messages: readonly { readonly turn: number; readonly words: Sketch }[];
  readonly stream: { readonly tail: string; readonly checked: number };
  readonly children: readonly { readonly id: string; readonly depth: number; readonly findings: readonly DetectorName[] }[];
  readonly stopped?: Stop;
}

/** How much of each is kept. Together they hold the state below 64 kB of JSON. */
export const bounds = {
  history: 32,
  past: 144,
  open: 40,
  found: 6,
  episodes: 10,
  evidence: 16,
  blocks: 8,
  mutes: 16,
  messages: 12,
  children: 16,
  tools: 48,
  name: 64,
  id: 32,
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
    found: [],
    episodes: [],
    opened: 0,
    mutes: [],
    broken: [],
    limits: {},
    isPriced: true,
    clock: { at: 0, elapsedMs: 0, idleMs: 0, waitingFor: "nothing" },
    messages: [],
    stream: { tail: "", checked: 0 },
    children: [],
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

/** One byte a character in JSON, but for an accent here and there. */
const isPlain = /^[ !#-[\]-~]*$/;
const beyondPlain = /[^ !#-[\]-~]/g;

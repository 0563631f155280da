import type { CallPrint, OutcomePrint, Sketch } from "./perceive/print.ts";
import type { DetectorName, LimitName } from "./policy.ts";

/**
 * What a call does to the world. `think` acts on the agent's own mind (thoughts, plans, to-do lists): its success is no progress and its answer no news.
 * `unknown` is not a write: a shell command that says nothing about itself, say.
 */
export const toolKinds = ["read", "mutate", "poll", "wait", "send", "think", "unknown"] as const;
export type ToolKind = (typeof toolKinds)[number];

/** Whether a call of this kind changes the world. */
export function isWrite(kind: ToolKind): boolean {
  return kind === "mutate" || kind === "send";
}

/** How a call ended. */
export const statuses = [
  "ok",
  "error",
  "denied",
  "timeout",
  "unknown-tool",
  "invalid-arguments",
  "interrupted",
] as const;
export type Status = (typeof statuses)[number];

/** Who speaks: a person excuses looking again; an automatic message (continue, resume, stop hook) excuses nothing; a scheduled one (heartbeat, cron) starts a fresh count. */
export type Origin = "person" | "automatic" | "scheduled";

/** What a run waits for; a stall means something else for each. */
export const waitings = ["first-byte", "stream", "tool", "approval", "child", "rate-limit", "nothing"] as const;
export type WaitingFor = (typeof waitings)[number];

/** What is being streamed. */
export const channels = ["text", "thinking", "tool-input"] as const;
export type Channel = (typeof channels)[number];

/** What was used so far, in all: tokens, nano-dollars. `context` is in percent, where `context` of the signal does not tell it. */
export type UsageTotals = Readonly<Partial<Record<Exclude<LimitName, "turns" | "time">, number>>>;

/** A tool as announced at the start of a run; without a kind it is inferred from each call. */
export interface AnnouncedTool {
  readonly name: string;
  readonly kind?: ToolKind | undefined;
}

/**
 * What the guardian is told. Every signal carries its wall-clock time in milliseconds.
 * Signals hold prints, never arguments or results; the one exception is the text of a `delta`, which is forgotten with the reply.
 */
export type Signal = {
  readonly at: number;
} & ( // The same `run` again, or none, is a run that goes on; another one starts its own count of tokens, money, turns and time.
  | {
      readonly type: "run-start";
      readonly attended: boolean;
      readonly tools: readonly AnnouncedTool[];
      readonly run?: string | undefined;
    }
  | { readonly type: "user-message"; readonly origin: Origin }
  | { readonly type: "stream-start" }
  | { readonly type: "delta"; readonly channel: Channel; readonly text: string }
  // `size`: how many characters it has.
  | {
      readonly type: "reply";
      readonly stop: "end" | "calls" | "length" | "refused" | "incomplete";
      readonly calls: number;
      readonly words: Sketch;
      readonly size?: number;
    }
  // `of`: how many calls the reply makes in all, where that is known before the first is run.
  | {
      readonly type: "call";
      readonly id: string;
      readonly tool: string;
      readonly kind: ToolKind;
      readonly print: CallPrint;
      readonly of?: number | undefined;
    }
  | { readonly type: "result"; readonly id: string; readonly outcome: OutcomePrint }
  | { readonly type: "turn-end" }
  | {
      // Totals, sent after a request was booked and compaction was tried. With `child` they are that subagent's own, and count to this run as well.
      readonly type: "usage";
      readonly used: UsageTotals;
      /** False where the price of some of it is unknown. */
      readonly isPriced: boolean;
      readonly context?: { readonly tokens: number; readonly max: number };
      /** The day and the month the totals belong to, as the books name them: another name is a new budget. */
      readonly day?: string;
      readonly month?: string;
      readonly child?: string;
    }
  // A person sets a limit anew while the run goes on; it holds in place of the policy's.
  | { readonly type: "limit"; readonly limit: LimitName; readonly warn?: number; readonly stop?: number }
  | { readonly type: "compacted" }
  | { readonly type: "waiting"; readonly for: WaitingFor }
  | { readonly type: "child-start"; readonly id: string; readonly depth: number }
  | {
      readonly type: "child-end";
      readonly id: string;
      readonly depth: number;
      readonly findings: readonly DetectorName[];
    }
  | { readonly type: "mute"; readonly detector?: DetectorName; readonly tool?: string; readonly call?: string }
  | { readonly type: "tick" }
);

export type SignalType = Signal["type"];

/** The signal of one type. */
export type SignalOf<T extends SignalType> = Extract<Signal, { readonly type: T }>;

import type { AgentEvent } from "../protocol/events.ts";
import type { OpenSpans } from "./open-spans.ts";

export type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

/** A run with open spans. */
export interface TracedRun {
  readonly span: string;
  /** The span of the current turn. */
  turn: string | undefined;
  /** The spans of calls and requests, by their ids. */
  readonly calls: Map<string, string>;
  readonly requests: Map<string, string>;
  /** The newest score of the goal. */
  score: number | undefined;
  /** The cost of the request that is about to end. */
  requestCost: EventOf<"CostEvent"> | undefined;
}

/** What the fold needs to know besides the events. */
export interface SpanFoldOptions {
  /** The `gen_ai.agent.name`; default: `sheepdog`. */
  readonly agentName?: string;
  readonly agentVersion?: string;
  /** Whether attributes may have content: prompts, replies, arguments, results, reasons. Default: false. */
  readonly captureContent?: boolean;
  /** Where the requests for a model go, if that is known. */
  serverOf?(request: { readonly provider: string; readonly model: string }): ServerAddress | undefined;
}

export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** What a handler of an event gets. */
export interface TraceContext {
  readonly spans: OpenSpans;
  readonly run: TracedRun;
  readonly options: SpanFoldOptions;
}

/** The span that an event belongs to: that of its call, else of the turn, else of the run. */
export function spanFor({ run }: Pick<TraceContext, "run">, callId?: string): string {
  return (callId === undefined ? undefined : run.calls.get(callId)) ?? run.turn ?? run.span;
}

export function toUsd(nanoUsd: number | null | undefined): number | undefined {
  return nanoUsd === null || nanoUsd === undefined ? undefined : nanoUsd / 1e9;
}

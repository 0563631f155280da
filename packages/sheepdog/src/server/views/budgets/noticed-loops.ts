import type { AgentEvent } from "@sheepdog/agent";
import { episodeOf } from "@sheepdog/guardian";
import type { NumberedCall } from "../../../saved-runs/notice-effect.ts";
import type { Loop } from "../../../saved-runs/trace/loops.ts";
import { paidLoops } from "../../../saved-runs/trace/paid-loops.ts";
import type { RunTrace } from "../../../saved-runs/trace/run-trace.ts";
import { callText, commandOf } from "../../../sentences/call-text.ts";

/** A part of what a loop cost: a day and a model. */
interface LoopPart {
  readonly day: string;
  readonly model: string;
  readonly nanoUsd: number;
}

/** A loop that the guardian noticed in a run, with what it cost. */
export interface NoticedLoop {
  readonly runId: string;
  /** The number of the event of its last intervention. */
  readonly seq: number;
  /** When it ended. */
  readonly at: number;
  readonly what: string;
  readonly isCommand: boolean;
  readonly times: number;
  /** undefined if a price is unknown. */
  readonly nanoUsd: number | undefined;
  readonly isRecovered: boolean;
  /** The guardian ended the run because of it. */
  readonly hasEndedRun: boolean;
  /** Where the money went: their sum is the cost. */
  readonly parts: readonly LoopPart[];
}

/** The loops of a run from its events. `calls` are the calls of its session, as the guardian counts them. */
export function noticedLoops(
  runId: string,
  events: readonly AgentEvent[],
  calls: readonly NumberedCall[],
): readonly NoticedLoop[] {
  const { loops, trace } = paidLoops(runId, events, calls);
  return loops.map(({ loop, nanoUsd, requests }) => ({
    runId,
    seq: lastIntervention(trace, loop),
    at: loop.to,
    what: whatOf(loop),
    isCommand: loop.calls.length === 1 && commandOf(loop.calls[0]?.input) !== undefined,
    times: loop.times,
    nanoUsd,
    isRecovered: loop.recoveredAt !== undefined,
    hasEndedRun: loop.appliedLevel === "halt",
    parts: requests.map((request) => ({ day: utcDay(request.at), model: request.model, nanoUsd: request.nanoUsd })),
  }));
}

function lastIntervention({ interventions }: RunTrace, { episode }: Loop): number {
  return interventions.findLast(({ intervention }) => episodeOf(intervention.id) === episode)?.seq ?? 0;
}

const MAX_SHOWN = 3;

function whatOf({ calls, tool, detector }: Loop): string {
  const [only] = calls;
  if (only === undefined) return tool ?? withoutCalls[detector] ?? detector;
  if (calls.length === 1) return callText(only);
  const shown = calls.slice(0, MAX_SHOWN).map((call) => callText(call, 40));
  return [...shown, ...(calls.length > MAX_SHOWN ? ["…"] : [])].join(", ");
}

/** What is repeated where it is no call. */
const withoutCalls: Readonly<Record<string, string>> = {
  chant: "the same text within a reply",
  monologue: "replies without an action",
  stall: "waiting without a sign of life",
  compaction: "compactions that did not help",
  "refused-answers": "answers that the judge refused",
  "stuck-child": "subagents that got stuck",
  spawn: "too many subagents",
};

/** The UTC date of a time, as `2026-11-11`; the first one of all if it is no time. */
export function utcDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "1970-01-01" : date.toISOString().slice(0, 10);
}

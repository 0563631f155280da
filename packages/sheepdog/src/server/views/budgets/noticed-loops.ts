import type { AgentEvent } from "@sheepdog/agent";
import { episodeOf } from "@sheepdog/guardian";
import type { NumberedCall } from "../../../saved-runs/notice-effect.ts";
import { type Loop, loopsOf } from "../run-data/loops.ts";
import { readTrace } from "../run-data/read-trace.ts";
import type { RunTrace } from "../run-data/run-trace.ts";
import { callText, commandOf } from "../sentences/call-text.ts";

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
  /** Where the money went. Money that belongs to two loops is counted in one of them. */
  readonly parts: readonly LoopPart[];
}

/** The loops of a run from its events. `calls` are the calls of its session, as the guardian counts them. */
export function noticedLoops(
  runId: string,
  events: readonly AgentEvent[],
  calls: readonly NumberedCall[],
): readonly NoticedLoop[] {
  const own = events.filter((event) => event.runId === runId);
  const trace = readTrace(own);
  const partsOf = createParts(own);
  return loopsOf(trace, calls).map((loop) => ({
    runId,
    seq: lastIntervention(trace, loop),
    at: loop.to,
    what: whatOf(loop),
    isCommand: loop.calls.length === 1 && commandOf(loop.calls[0]?.input) !== undefined,
    times: loop.times,
    nanoUsd: loop.costNanoUsd ?? undefined,
    isRecovered: loop.recoveredAt !== undefined,
    hasEndedRun: loop.appliedLevel === "halt",
    parts: loop.costNanoUsd === null ? [] : partsOf(loop),
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

interface Request {
  readonly at: number;
  readonly model: string;
  readonly nanoUsd: number;
}

/** Finds the requests within the time of a loop. Each request is counted once. */
function createParts(events: readonly AgentEvent[]): (loop: Pick<Loop, "from" | "to">) => readonly LoopPart[] {
  const uncounted = new Set(
    events.flatMap((event): readonly Request[] => {
      if (event.type !== "CostEvent" || typeof event.costNanoUsd !== "number") return [];
      return [{ at: event.at, model: event.model, nanoUsd: Math.max(0, event.costNanoUsd) }];
    }),
  );
  return ({ from, to }) => {
    const within = [...uncounted].filter(({ at }) => at > from && at <= to);
    for (const request of within) uncounted.delete(request);
    return within.map(({ at, model, nanoUsd }) => ({ day: utcDay(at), model, nanoUsd }));
  };
}

/** The UTC date of a time, as `2026-11-11`; the first one of all if it is no time. */
export function utcDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "1970-01-01" : date.toISOString().slice(0, 10);
}

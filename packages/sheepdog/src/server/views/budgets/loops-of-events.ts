import type { AgentEvent } from "@sheepdog/agent";
import { episodeOf } from "@sheepdog/guardian";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { callText, commandOf } from "../sentences/call-text.ts";

/** A part of what a loop cost: a day and a model. */
interface LoopPart {
  readonly day: string;
  readonly model: string;
  readonly nanoUsd: number;
}

/** A loop that the guardian noticed. Its cost is counted up to the last intervention. */
export interface NoticedLoop {
  readonly runId: string;
  /** The number of the event of its last intervention, and when that was. */
  readonly seq: number;
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

interface Request {
  readonly seq: number;
  readonly day: string;
  readonly model: string;
  /** What no loop has counted yet. */
  uncountedNanoUsd: number;
}

interface RunSoFar {
  readonly requests: Request[];
  readonly newestCalls: Map<string, { readonly tool: string; readonly input: unknown }>;
  isUnpriced: boolean;
}

type OpenLoop = { -readonly [K in keyof Omit<NoticedLoop, "parts">]: NoticedLoop[K] } & {
  /** Attempts that were refused. They are no calls, but repetitions. */
  readonly refused: number;
};

/** The loops in the events of a session, in the order of their last interventions. */
export function loopsOfEvents(events: readonly AgentEvent[]): readonly NoticedLoop[] {
  const runs = new Map<string, RunSoFar>();
  const loops = new Map<string, OpenLoop>();
  for (const event of events) {
    const run = runs.get(event.runId) ?? { requests: [], newestCalls: new Map(), isUnpriced: false };
    runs.set(event.runId, run);
    switch (event.type) {
      case "CostEvent":
        addRequest(run, event);
        break;
      case "ToolStart":
      case "ToolBlocked":
        run.newestCalls.set(event.tool, event);
        break;
      case "GuardianIntervention":
        addIntervention(loops, run, event);
        break;
      case "GuardianRecovered": {
        const loop = loops.get(`${event.runId} ${event.episode}`);
        if (loop !== undefined) loop.isRecovered = true;
        break;
      }
      default:
        break; // other events say nothing about loops or money
    }
  }
  return [...loops.values()].toSorted((a, b) => a.seq - b.seq).map((loop) => withParts(loop, runs.get(loop.runId)));
}

function addRequest(run: RunSoFar, { seq, at, model, costNanoUsd }: Extract<AgentEvent, { type: "CostEvent" }>): void {
  if (typeof costNanoUsd !== "number") run.isUnpriced = true;
  else run.requests.push({ seq, day: utcDay(at), model, uncountedNanoUsd: Math.max(0, costNanoUsd) });
}

function addIntervention(
  loops: Map<string, OpenLoop>,
  run: RunSoFar,
  { intervention, runId, seq, at }: Extract<AgentEvent, { type: "GuardianIntervention" }>,
): void {
  const { id, detector, tool, count, times, effect, denies, isApplied, costNanoUsd } = intervention;
  if (isLimit(detector)) return;
  const key = `${runId} ${episodeOf(id)}`;
  const earlier = loops.get(key);
  const call = tool === undefined ? undefined : run.newestCalls.get(tool);
  loops.set(key, {
    runId,
    seq,
    at,
    what: call === undefined ? (earlier?.what ?? tool ?? withoutCalls[detector] ?? detector) : callText(call),
    isCommand: call === undefined ? (earlier?.isCommand ?? false) : commandOf(call.input) !== undefined,
    times: Math.max(times ?? Math.round(count), earlier?.times ?? 0),
    refused: (earlier?.refused ?? 0) + (denies === undefined ? 0 : 1),
    nanoUsd: costNanoUsd === undefined ? earlier?.nanoUsd : Math.max(costNanoUsd, earlier?.nanoUsd ?? 0),
    isRecovered: false,
    hasEndedRun: earlier?.hasEndedRun === true || (effect === "stop" && isApplied),
  });
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

/** The cost of a loop is the money that its run spent last, before the intervention. */
function withParts({ refused, ...loop }: OpenLoop, run: RunSoFar | undefined): NoticedLoop {
  const nanoUsd = run?.isUnpriced === true ? undefined : loop.nanoUsd;
  let missing = nanoUsd ?? 0;
  const parts: LoopPart[] = [];
  for (const request of (run?.requests ?? []).toReversed()) {
    if (missing <= 0) break;
    if (request.seq > loop.seq) continue;
    const counted = Math.min(request.uncountedNanoUsd, missing);
    if (counted > 0) parts.push({ day: request.day, model: request.model, nanoUsd: counted });
    missing -= counted;
    request.uncountedNanoUsd -= counted;
  }
  return { ...loop, times: loop.times + refused, nanoUsd, parts };
}

/** The UTC date of a time, as `2026-11-11`; the first one of all if it is no time. */
export function utcDay(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "1970-01-01" : date.toISOString().slice(0, 10);
}

import { episodeOf, type Intervention, type Level, levels } from "@sheepdog/guardian";
import { equalCallDetectors } from "@sheepdog/records";
import { isLimit } from "../../render/timeline/is-limit.ts";
import type { NumberedCall } from "../notice-effect.ts";
import { type RunTrace, spentAt, type TraceCall } from "./run-trace.ts";

/** A repetition that the guardian noticed: an episode with its calls, its time and its cost. */
export interface Loop {
  readonly episode: string;
  readonly detector: Intervention["detector"];
  /** The highest level. */
  readonly level: Level;
  /** The highest level that took effect; undefined if none did. */
  readonly appliedLevel: Level | undefined;
  /** The different calls that repeat, in the order of their first occurrence. */
  readonly calls: readonly NumberedCall[];
  /** How often it happened, also after the last intervention. */
  readonly times: number;
  /** The tool of the last finding. */
  readonly tool: string | undefined;
  /** From the end of the first occurrence to the end of the last. */
  readonly from: number;
  readonly to: number;
  /** What was spent in that time; null if a price is unknown. */
  readonly costNanoUsd: number | null;
  readonly recoveredAt: number | undefined;
}

/** The loops of a run, in the order in which the guardian noticed them. */
export function loopsOf(trace: RunTrace, calls: readonly NumberedCall[]): readonly Loop[] {
  const episodes = new Map<string, RunTrace["interventions"][number][]>();
  for (const entry of trace.interventions) {
    if (isLimit(entry.intervention.detector)) continue;
    const id = episodeOf(entry.intervention.id);
    episodes.set(id, [...(episodes.get(id) ?? []), entry]);
  }
  if (episodes.size === 0) return [];
  const keys = new Map([...trace.calls.values()].map((call) => [call, callKey(call)]));
  return [...episodes].map(([episode, entries]) => loopOf({ episode, entries, trace, calls, keys }));
}

/** The loop of the highest level that took effect; of equal ones, the longest. */
export function mainLoop(loops: readonly Loop[]): Loop | undefined {
  const rank = { hint: 1, warn: 2, block: 3, halt: 4 } as const;
  const weight = ({ appliedLevel, level }: Loop) =>
    appliedLevel === undefined ? rank[level] / 10 : rank[appliedLevel];
  return loops.toSorted((one, other) => weight(other) - weight(one) || other.times - one.times)[0];
}

/**
 * The loops of a run with those at the same time as one: the guardian may have noticed the same calls in two episodes.
 * The main one of them names it. It has the time and the cost of all, and has recovered when all have.
 */
export function joinedLoops(loops: readonly Loop[], { costs }: Pick<RunTrace, "costs">): readonly Loop[] {
  return mergedRanges(loops).flatMap(([from, to]) => {
    const members = loops.filter((loop) => loop.from >= from && loop.to <= to);
    const main = mainLoop(members);
    if (main === undefined) return [];
    const recoveries = members.map(({ recoveredAt }) => recoveredAt ?? Number.POSITIVE_INFINITY);
    const recoveredAt = Math.max(...recoveries);
    return [
      {
        ...main,
        from,
        to,
        costNanoUsd: spentBetween(costs, from, to),
        recoveredAt: Number.isFinite(recoveredAt) ? recoveredAt : undefined,
      },
    ];
  });
}

/** What was spent in loops, each time counted once; null if a price is unknown. */
export function loopSpend(loops: readonly Loop[], { costs }: Pick<RunTrace, "costs">): number | null {
  let total = 0;
  for (const [from, to] of mergedRanges(loops)) {
    const spent = spentBetween(costs, from, to);
    if (spent === null) return null;
    total += spent;
  }
  return total;
}

/** What was spent after one time up to another; null if a price is unknown. */
function spentBetween(costs: RunTrace["costs"], from: number, to: number): number | null {
  const [before, after] = [spentAt(costs, from), spentAt(costs, to)];
  return before === null || after === null ? null : Math.max(0, after - before);
}

/** The times of loops, without overlaps. */
export function mergedRanges(loops: readonly Pick<Loop, "from" | "to">[]): readonly (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const { from, to } of loops.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

interface EpisodeData {
  readonly episode: string;
  readonly entries: readonly RunTrace["interventions"][number][];
  readonly trace: RunTrace;
  readonly calls: readonly NumberedCall[];
  readonly keys: ReadonlyMap<TraceCall, string>;
}

function loopOf({ episode, entries, trace, calls, keys }: EpisodeData): Loop {
  const last = entries.at(-1)?.intervention;
  const detector = last?.detector ?? "doom-loop";
  const evidence = [...new Set(entries.flatMap(({ intervention }) => intervention.evidence))].toSorted((a, b) => a - b);
  const shown = evidence.flatMap((index) => calls[index] ?? []);
  const distinct = [...new Map(shown.map((call) => [callKey(call), call])).values()];
  const isEqual = equalCallDetectors.some((name) => name === detector);
  const wanted = new Set(distinct.map(callKey));
  const ids = new Set(shown.map(({ id }) => id));
  const occurrences = [...trace.calls.values()].filter(
    (call) => call.refusedBy === undefined && (ids.has(call.callId) || (isEqual && wanted.has(keys.get(call) ?? ""))),
  );
  const failing = detector === "failing-call" ? occurrences.filter(({ status }) => status !== "ok") : occurrences;
  const laps = detector === "cycle" ? Math.floor(failing.length / Math.max(1, distinct.length)) : failing.length;
  const counted = Math.max(...entries.map(({ intervention }) => intervention.times ?? Math.round(intervention.count)));
  const first = failing[0];
  const lastCall = failing.at(-1);
  const recoveredAt = trace.recovered.get(episode)?.at;
  const from = first?.endedAt ?? first?.startedAt ?? entries[0]?.at ?? 0;
  const to = Math.max(from, lastCall?.endedAt ?? lastCall?.startedAt ?? 0, entries.at(-1)?.at ?? 0);
  const applied = entries.filter(({ intervention }) => intervention.isApplied).map(({ intervention }) => intervention);
  return {
    episode,
    detector,
    level: highest(entries.map(({ intervention }) => intervention)) ?? "hint",
    appliedLevel: highest(applied),
    calls: distinct,
    times: isEqual ? Math.max(counted, laps) : counted,
    tool: last?.tool,
    from,
    to,
    costNanoUsd: spentBetween(trace.costs, from, to),
    recoveredAt,
  };
}

/** The highest level of interventions. */
export function highest(interventions: readonly Pick<Intervention, "level">[]): Level | undefined {
  return levels.findLast((level) => interventions.some((intervention) => intervention.level === level));
}

function callKey({ tool, input }: Pick<NumberedCall, "tool" | "input">): string {
  return JSON.stringify([tool, input]);
}

import type { RunRow } from "@sheepdog/web/contract";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { mergedRanges } from "../../../saved-runs/trace/loops.ts";
import type { RunData } from "../run-data/run-data.ts";

type Spark = NonNullable<RunRow["spark"]>;

const MAX_POINTS = 40;
const MAX_MARKS = 40;

/** The cost of a run over its time, from 0 to 1 on both axes; null if there is nothing to draw. */
export function runSpark({ summary, trace, loops }: RunData): Spark | null {
  const { startedAt } = summary.run;
  const endedAt = summary.run.endedAt ?? trace.lastAt ?? startedAt;
  const length = endedAt - startedAt;
  const last = trace.costs.findLast(({ nanoUsd }) => nanoUsd !== null)?.nanoUsd ?? 0;
  if (!(length > 0) || !(last > 0) || trace.costs.some(({ nanoUsd }) => nanoUsd === null)) return null;
  const x = (at: number) => rounded((at - startedAt) / length);
  const costs = thinned(trace.costs, MAX_POINTS - 2).map(({ at, nanoUsd }): [number, number] => [
    x(at),
    rounded((nanoUsd ?? 0) / last),
  ]);
  const marks = [
    ...trace.interventions
      .filter(({ intervention }) => !isLimit(intervention.detector))
      .map(({ at, intervention }) => ({ x: x(at), level: intervention.level })),
    ...[...trace.recovered.values()].map(({ at }) => ({ x: x(at), level: "recovered" as const })),
  ];
  return {
    points: [[0, 0], ...costs, [1, costs.at(-1)?.[1] ?? 0]],
    marks: marks.toSorted((one, other) => one.x - other.x).slice(-MAX_MARKS),
    loops: mergedRanges(loops).map(([from, to]): [number, number] => [x(from), x(to)]),
  };
}

/** At most `max` items, evenly chosen, with the last. */
function thinned<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  const at = (index: number) => Math.ceil(((index + 1) * items.length) / max) - 1; // divided last: exact at the end
  return Array.from({ length: max }, (_, index) => items[at(index)] as Item); // within bounds
}

function rounded(share: number): number {
  return Number.isFinite(share) ? Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 1_000 : 0;
}

import type { RunRow } from "../contract/index.ts";

const HEIGHT = 26;
const TOP = 1.9;

/** The cost of a run over its time, with the guardian's levels. The row says the same in words: it is decoration. */
export function Spark({ spark }: { readonly spark: RunRow["spark"] }) {
  if (spark === null || spark.points.length < 2) return null;
  const line = spark.points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${place(x)} ${height(y)}`).join("");
  const [first, last] = [spark.points[0]?.[0] ?? 0, spark.points.at(-1)?.[0] ?? 1];
  return (
    <svg class="spark" viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="under-line" d={`${line}L${place(last)} ${HEIGHT}L${place(first)} ${HEIGHT}Z`} />
      <path class="cost-line" d={line} />
      {spark.loops.map(([from, to]) => (
        <path class="loop-line" d={`M${place(from)} ${HEIGHT - 1}H${place(to)}`} />
      ))}
      {spark.marks.map(({ x, level }) => (
        <path class={`mark-line ${level}`} d={`M${place(Math.min(0.99, Math.max(0.01, x)))} 0V${HEIGHT}`} />
      ))}
    </svg>
  );
}

function place(x: number): number {
  return round(x * 100);
}

function height(y: number): number {
  return round(HEIGHT - y * (HEIGHT - TOP));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

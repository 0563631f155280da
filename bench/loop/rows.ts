import { ratioOf } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { thousands } from "../measure/table.ts";
import type { Measurement } from "./child.ts";
import { ai, bare, baseline, contestants, ours, peers, pi } from "./contestants/index.ts";
import { coldTurns, longTurns, type Measured, type Measurements, shortTurns } from "./rounds.ts";

/** What a turn costs against the other build, peers and the bare loop, cold and warm, and whether the cost grows. */
export function loopRows(measured: Measured): readonly Row[] {
  const compare = comparing(measured);
  const warm = (one: string, other: string, goal?: number) => [
    compare(measured.short, { title: `${thousands(shortTurns)} turns`, one, other, goal }),
    compare(measured.long, { title: `${thousands(longTurns)} turns`, one, other, goal }),
  ];
  const cold = (one: string, other: string, goal?: number) => [
    compare(measured.cold, { title: `first ${coldTurns} turns of a process`, one, other, goal }),
    compare(measured.cold, { title: "the same with loading", one, other, value: withLoading }),
  ];
  return [
    ...(baseline === undefined
      ? []
      : [
          ...warm(ours, baseline, 1.5),
          ...cold(ours, baseline, 1),
          compare(measured.largeResults, { title: "results of 100 kB", one: ours, other: baseline, goal: 2 }),
        ]),
    ...peers.flatMap((peer) => warm(ours, peer, peer === pi ? undefined : 1 / 5)),
    ...[pi, ai].flatMap((peer) => cold(ours, peer)),
    ...[ours, ...peers].flatMap((name) => warm(name, bare)),
    ...Object.keys(contestants).map((name) => growth(measured, name)),
  ];
}

interface Comparison {
  readonly title: string;
  readonly one: string;
  readonly other: string;
  readonly value?: (measurement: Measurement) => number;
  readonly goal?: number | undefined;
}

const conversationOnly = ({ cpuMicros }: Measurement) => cpuMicros;
const withLoading = ({ loadMicros, cpuMicros }: Measurement) => loadMicros + cpuMicros;

function comparing({ missing: reasons }: Measured): (all: Measurements, comparison: Comparison) => Row {
  return (all, { title, one, other, value = conversationOnly, goal }) => {
    const what = `${one}, ${title}`;
    const [ownValues, otherValues] = [all.get(one)?.map(value), all.get(other)?.map(value)];
    if (ownValues === undefined || otherValues === undefined)
      return missing(what, other, reasons.get(one) ?? reasons.get(other) ?? "not measured");
    const rounds = Math.min(ownValues.length, otherValues.length);
    return row(what, other, ratioOf(ownValues.slice(0, rounds), otherValues.slice(0, rounds)), goal);
  };
}

/** Leaves out the first 200 turns: every contestant, the bare loop too, is slower there. */
function growth(measured: Measured, name: string): Row {
  const [what, to] = [`${name}, turns 1,801 to 2,000`, "turns 201 to 400"];
  const measurements = measured.long.get(name);
  if (measurements === undefined) return missing(what, to, measured.missing.get(name) ?? "not measured");
  const window = (index: number) => measurements.map(({ windowMicros }) => windowMicros.at(index) ?? Number.NaN);
  return row(what, to, ratioOf(window(-1), window(1)), name === ours ? 1.1 : undefined);
}

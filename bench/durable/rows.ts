import { ratioOf } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { thousands } from "../measure/table.ts";
import { baselineName, contestants, handWrittenName, langgraphName, oursName } from "./contestants/index.ts";
import { longTurns, type Measured, middleTurns, shortTurns } from "./rounds.ts";
import type { Measurement } from "./run-once.ts";

const allTurns = [shortTurns, middleTurns, longTurns];
const langgraphTurns = [shortTurns, middleTurns];

/** What a durable turn costs against other contestants, whether the cost grows, and what is left on the disk. */
export function durableRows(measured: Measured): readonly Row[] {
  const compare = comparing(measured);
  return [
    ...allTurns.map((turns) => compare(turns, { one: oursName, other: handWrittenName, ...cpu, goal: 4 })),
    ...allTurns.map((turns) => compare(turns, { one: oursName, other: handWrittenName, ...clock })),
    ...(baselineName in contestants
      ? allTurns.map((turns) => compare(turns, { one: oursName, other: baselineName, ...cpu, goal: 1.5 }))
      : []),
    ...langgraphTurns.map((turns) => {
      const goal = turns === middleTurns ? 1 / 20 : undefined;
      return compare(turns, { one: oursName, other: langgraphName, ...cpu, goal });
    }),
    ...langgraphTurns.map((turns) => compare(turns, { one: langgraphName, other: handWrittenName, ...cpu })),
    growth(measured, handWrittenName, longTurns),
    growth(measured, oursName, longTurns, 1.1),
    growth(measured, langgraphName, middleTurns),
    ...Object.keys(contestants).map((name) => packing(measured, name, name === oursName ? 1.4 : undefined)),
    compare(middleTurns, { one: oursName, other: handWrittenName, ...database }),
    compare(middleTurns, { one: langgraphName, other: handWrittenName, ...database }),
  ];
}

interface Comparison {
  readonly one: string;
  readonly other: string;
  readonly unit: string;
  readonly value: (measurement: Measurement) => number;
  readonly goal?: number | undefined;
}

const cpu = { unit: "CPU", value: ({ cpuMicros }: Measurement) => cpuMicros };
const clock = { unit: "clock", value: ({ clockMicros }: Measurement) => clockMicros };
const database = { unit: "database", value: ({ databaseBytes }: Measurement) => databaseBytes };

function comparing(measured: Measured): (turns: number, comparison: Comparison) => Row {
  return (turns, { one, other, unit, value, goal }) => {
    const what = `${one}, ${unit}, ${thousands(turns)} turns`;
    const [ownValues, otherValues] = [one, other].map((name) => measurementsOf(measured, turns, name)?.map(value));
    if (ownValues === undefined || otherValues === undefined) return missing(what, other, why(measured, one, other));
    const rounds = Math.min(ownValues.length, otherValues.length);
    return row(what, other, ratioOf(ownValues.slice(0, rounds), otherValues.slice(0, rounds)), goal);
  };
}

/** The last complete window of 200 turns against the second, or against the first when there are only two. */
function growth(measured: Measured, name: string, turns: number, goal?: number): Row {
  const isLong = turns > 3 * shortTurns;
  const last = Math.floor(turns / shortTurns) * shortTurns;
  const [what, to] = [
    `${name}, CPU of turns ${thousands(last - shortTurns + 1)} to ${thousands(last)}`,
    isLong ? "turns 201 to 400" : "turns 1 to 200",
  ];
  const measurements = measurementsOf(measured, turns, name);
  if (measurements === undefined) return missing(what, to, why(measured, name));
  const window = (index: number) => measurements.map(({ windowMicros }) => windowMicros.at(index) ?? Number.NaN);
  return row(what, to, ratioOf(window(-1), window(isLong ? 1 : 0)), goal);
}

/** How densely the database is packed. */
function packing(measured: Measured, name: string, goal?: number): Row {
  const turns = measurementsOf(measured, longTurns, name) === undefined ? middleTurns : longTurns;
  const [what, to] = [`${name}, bytes of database, ${thousands(turns)} turns`, "bytes of JSON in it"];
  const measurements = measurementsOf(measured, turns, name);
  if (measurements === undefined) return missing(what, to, why(measured, name));
  const jsonBytes = measurements.map(({ json }) => json.history + json.checkpoint);
  return row(what, to, ratioOf(measurements.map(database.value), jsonBytes), goal);
}

function measurementsOf({ byTurns }: Measured, turns: number, name: string): readonly Measurement[] | undefined {
  return byTurns.get(turns)?.get(name);
}

function why({ missing: reasons }: Measured, ...names: readonly string[]): string {
  return names.flatMap((name) => reasons.get(name) ?? [])[0] ?? "not measured";
}

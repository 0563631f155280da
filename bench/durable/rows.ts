import { ratioOf } from "../measure/rounds.ts";
import { missing, type Row, row } from "../measure/row.ts";
import { thousands } from "../measure/table.ts";
import { contestants, handWrittenName, langgraphName, oursName } from "./contestants/index.ts";
import type { Taken } from "./play-once.ts";
import { longTurns, type Measured, middleTurns, shortTurns } from "./rounds.ts";

/** What a durable turn costs against others, whether that grows, and what it leaves on the disk. */
export function durableRows(measured: Measured): readonly Row[] {
  const all = [shortTurns, middleTurns, longTurns];
  const both = [shortTurns, middleTurns];
  return [
    ...all.map((turns) =>
      against(measured, turns, { one: oursName, other: handWrittenName, by: cpu, unit: "CPU", goal: 1.5 }),
    ),
    ...all.map((turns) => against(measured, turns, { one: oursName, other: handWrittenName, by: wall, unit: "clock" })),
    ...both.map((turns) =>
      against(measured, turns, {
        one: oursName,
        other: langgraphName,
        by: cpu,
        unit: "CPU",
        ...(turns === middleTurns ? { goal: 1 / 25 } : {}),
      }),
    ),
    ...both.map((turns) =>
      against(measured, turns, { one: langgraphName, other: handWrittenName, by: cpu, unit: "CPU" }),
    ),
    growth(measured, handWrittenName, longTurns),
    growth(measured, oursName, longTurns, 1.1),
    growth(measured, langgraphName, middleTurns),
    ...Object.keys(contestants).map((name) => size(measured, name, name === oursName ? 1.4 : undefined)),
    against(measured, middleTurns, { one: oursName, other: handWrittenName, by: database, unit: "database" }),
    against(measured, middleTurns, { one: langgraphName, other: handWrittenName, by: database, unit: "database" }),
  ];
}

interface Against {
  readonly one: string;
  readonly other: string;
  readonly by: (taken: Taken) => number;
  readonly unit: string;
  readonly goal?: number;
}

const cpu = ({ total }: Taken) => total;
const wall = (taken: Taken) => taken.wall;
const database = ({ databaseBytes }: Taken) => databaseBytes;

function against(measured: Measured, turns: number, { one, other, by, unit, goal }: Against): Row {
  const [what, to] = [`${one}, ${unit}, ${thousands(turns)} turns`, other];
  const [mine, theirs] = [takenBy(measured, turns, one), takenBy(measured, turns, other)];
  if (mine === undefined || theirs === undefined) return missing(what, to, why(measured, one, other));
  const rounds = Math.min(mine.length, theirs.length);
  return row(what, to, ratioOf(mine.slice(0, rounds).map(by), theirs.slice(0, rounds).map(by)), goal);
}

/** The last whole window of 200 turns against the second, or against the first where there are only two. */
function growth(measured: Measured, name: string, turns: number, goal?: number): Row {
  const isLong = turns > 3 * shortTurns;
  const last = Math.floor(turns / shortTurns) * shortTurns;
  const [what, to] = [
    `${name}, CPU of turns ${thousands(last - shortTurns + 1)} to ${thousands(last)}`,
    isLong ? "turns 201 to 400" : "turns 1 to 200",
  ];
  const taken = takenBy(measured, turns, name);
  if (taken === undefined) return missing(what, to, why(measured, name));
  const window = (at: number) => taken.map(({ windows }) => windows.at(at) ?? Number.NaN);
  return row(what, to, ratioOf(window(-1), window(isLong ? 1 : 0)), goal);
}

function size(measured: Measured, name: string, goal?: number): Row {
  const turns = takenBy(measured, longTurns, name) === undefined ? middleTurns : longTurns;
  const [what, to] = [`${name}, bytes of database, ${thousands(turns)} turns`, "bytes of JSON in it"];
  const taken = takenBy(measured, turns, name);
  if (taken === undefined) return missing(what, to, why(measured, name));
  return row(
    what,
    to,
    ratioOf(
      taken.map(database),
      taken.map(({ jsonBytes }) => jsonBytes),
    ),
    goal,
  );
}

function takenBy({ taken }: Measured, turns: number, name: string): readonly Taken[] | undefined {
  return taken.get(turns)?.get(name);
}

function why({ missing: reasons }: Measured, ...names: readonly string[]): string {
  return names.flatMap((name) => reasons.get(name) ?? [])[0] ?? "not measured";
}

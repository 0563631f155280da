import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, quantile } from "../measure/median.ts";
import type { BasicReport } from "../measure/report.ts";
import { ratioOf } from "../measure/rounds.ts";
import { row } from "../measure/row.ts";
import { save } from "../measure/save.ts";
import { aligned, missed, tableOf, verdict } from "../measure/table.ts";
import { openSession, type Start, startNode } from "./session.ts";

/** How much longer a hook takes than Node alone, in milliseconds. */
interface Difference {
  readonly what: string;
  readonly ms: number;
  readonly low: number;
  readonly high: number;
  readonly goalMs?: number;
  readonly isMet?: boolean;
}

interface Report extends BasicReport<"hook"> {
  /** Beyond `node -e 0`. */
  readonly differences: readonly Difference[];
  /** Medians in milliseconds, on this machine, now. */
  readonly millis: Readonly<Record<string, number>>;
}

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 61);
const warmUps = 3;
const floor = "node -e 0";
const names = {
  call: "hook before a call",
  turn: "hook at the end of a turn",
  servedCall: "hook before a call, with serve",
  servedTurn: "hook at the end of a turn, with serve",
};

console.error("bench: two sessions with a history");
const empty = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
const alone = await openSession({ isServed: false });
const served = await openSession({ isServed: true });
const starts: Readonly<Record<string, () => Start>> = {
  [floor]: () => startNode(empty),
  [names.call]: alone.beforeCall,
  [names.turn]: alone.turnEnd,
  [names.servedCall]: served.beforeCall,
  [names.servedTurn]: served.turnEnd,
};
const times = new Map<string, Start[]>(Object.keys(starts).map((name) => [name, []]));
try {
  for (let round = -warmUps; round < rounds; round += 1)
    for (const position of Object.keys(starts).keys()) {
      const list = Object.entries(starts);
      const [name, start] = list[(position + round + warmUps) % list.length] ?? [floor, () => startNode(empty)];
      const measured = start();
      if (round >= 0) times.get(name)?.push(measured);
    }
} finally {
  await alone.close();
  await served.close();
  rmSync(empty, { recursive: true, force: true });
}

type Measure = keyof Start;
const timesOf = (name: string, measure: Measure): readonly number[] =>
  (times.get(name) ?? []).map((start) => start[measure]);
const compare = (name: string, measure: Measure, goal?: number) =>
  row(
    measure === "cpuMs" ? `${name}, CPU` : name,
    floor,
    ratioOf(timesOf(name, measure), timesOf(floor, measure)),
    goal,
  );
const report: Report = {
  benchmark: "hook",
  date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  method:
    "The clock from start to exit, and processor time (CPU), which a busy machine changes less. Programs are started " +
    "in turn; each figure is the median over rounds of the ratio, or of the difference, within a round.",
  rows: [
    compare(names.call, "clockMs", 1.6),
    compare(names.turn, "clockMs", 1.6),
    ...Object.values(names).map((name) => compare(name, "cpuMs")),
  ],
  differences: [
    ...[names.servedCall, names.servedTurn].map((name) => difference(name, "clockMs", 5)),
    ...Object.values(names).map((name) => difference(name, "cpuMs")),
  ],
  millis: Object.fromEntries([...times.keys()].map((name) => [name, median(timesOf(name, "clockMs"))])),
};
process.stdout.write(asTable(report));
save(report);
const isMissed = missed(report.rows).length > 0 || report.differences.some(({ isMet }) => isMet === false);
if (process.argv.includes("--check") && isMissed) process.exitCode = 1;

function difference(name: string, measure: Measure, goalMs?: number): Difference {
  const floorTimes = timesOf(floor, measure);
  const all = timesOf(name, measure).map((time, round) => time - (floorTimes[round] ?? Number.NaN));
  const what = measure === "cpuMs" ? `${name}, CPU` : name;
  const ms = median(all);
  return {
    what,
    ms,
    low: quantile(all, 0.25),
    high: quantile(all, 0.75),
    ...(goalMs === undefined ? {} : { goalMs, isMet: ms <= goalMs }),
  };
}

function asTable({ node, method, rows, differences, millis }: Report): string {
  const result = (isMet: boolean | undefined) => (isMet === undefined ? "" : isMet ? "met" : "MISSED");
  const lines = differences.map(({ what, ms, low, high, goalMs, isMet }) => [
    what,
    ms.toFixed(1),
    `${low.toFixed(1)} … ${high.toFixed(1)}`,
    goalMs === undefined ? "" : `≤ ${goalMs.toFixed(1)}`,
    result(isMet),
  ]);
  return [
    `Hooks, Node ${node}. ${method}`,
    "",
    ...tableOf(rows),
    "",
    `Milliseconds beyond ${floor}:`,
    ...aligned([["what", "ms", "middle half", "goal", ""], ...lines], [1, 3]),
    "",
    "On this machine, now:",
    ...aligned([["", "ms"], ...Object.entries(millis).map(([name, ms]) => [name, ms.toFixed(1)])], [1]),
    "",
    verdict([...rows, ...differences.flatMap(({ what, isMet, goalMs }) => asGoal(what, isMet, goalMs))]),
    "",
  ].join("\n");
}

/** A difference with a goal, so that it is counted with the rows. */
function asGoal(what: string, isMet: boolean | undefined, goal: number | undefined): readonly Report["rows"][number][] {
  return isMet === undefined || goal === undefined ? [] : [{ what, to: floor, ratio: null, goal, isMet }];
}

import type { Io } from "../../io.ts";
import type { LookBackRun } from "../../look-back/look-back-run.ts";
import type { SweepBy, sweepPoints } from "../../look-back/sweep.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { usdText } from "../../sentences/amount-text.ts";
import { barText } from "./bar-text.ts";

type Point = ReturnType<typeof sweepPoints>[number];

/** What the table of limits is made from. */
export interface SweepTable {
  readonly by: SweepBy;
  readonly points: readonly Point[];
  readonly current: number | null;
  readonly runs: readonly LookBackRun[];
  readonly goodRuns: number;
  /** The limit whose configuration is wanted; default: the lowest that stops no good run. */
  readonly wanted: number | undefined;
  tomlOf(limit: number): string;
}

const BAR_COLUMNS = 14;

const titles: Readonly<Record<SweepBy, string>> = {
  calls: "a limit on equal calls",
  cost: "a limit on the cost of a run",
  turns: "a limit on the turns of a run",
};

/** A table of limits: what each would have saved, and how many runs that ended well it would have stopped. */
export function sweepLines(table: SweepTable, { stdout, env }: Io): readonly string[] {
  const { by, points, current, runs, goodRuns } = table;
  const width = columnsOf(stdout, env);
  const style = styleFor(stdout, env);
  const draws = canDraw(env);
  const sentence = (text: string) => wrap(text, width);
  if (points.length === 0) return sentence(noLimits[by]);
  const hasMoney = points.some(({ savedUsd }) => savedUsd > 0);
  const weight = ({ savedUsd, savedCalls }: Point) => (hasMoney ? savedUsd : savedCalls);
  const most = Math.max(...points.map(weight), 0) || 1;
  const rows = points.map((point) => [
    `${point.limit === current ? (draws ? "→" : ">") : " "} ${limitText(by, point.limit)}`,
    ...(hasMoney ? [usdText(point.savedUsd)] : []),
    point.savedCalls.toLocaleString("en-US"),
    point.stoppedGood.length.toLocaleString("en-US"),
    barText(weight(point) / most, BAR_COLUMNS, draws),
  ]);
  const [head = "", ...lines] = layOut(columnsFor(hasMoney), rows, width);
  const inForce = current === null ? "" : ` ${draws ? "→" : ">"} marks the limit in force.`;
  return [
    ...sentence(
      `What ${titles[by]} would have saved in ${counted(runs.length, "run")}, ${goodText(goodRuns)}.${inForce}`,
    ),
    "",
    style.bold(head),
    ...lines.map((line, index) => (points[index]?.limit === current ? style.bold(line) : line)),
    "",
    ...sentence("What is saved counts runs that did not end well; what they would have done instead is not known.").map(
      style.dim,
    ),
    ...tomlLines(table, sentence),
  ];
}

const noLimits: Readonly<Record<SweepBy, string>> = {
  calls: "There is no run to compare limits with.",
  cost: "No run has a known cost, so limits on the cost cannot be compared; try --by calls or --by turns.",
  turns: "There is no turn to compare limits with.",
};

function goodText(goodRuns: number): string {
  if (goodRuns > 0) return `${goodRuns.toLocaleString("en-US")} of which ended well`;
  return "none of which says that it ended well";
}

function columnsFor(hasMoney: boolean): readonly Column[] {
  return [
    { title: "  LIMIT", align: "right", min: 7 },
    ...(hasMoney ? [{ title: "SAVED", align: "right", min: 7 } as const] : []),
    { title: hasMoney ? "CALLS" : "CALLS SAVED", align: "right", min: 5 },
    { title: "GOOD RUNS STOPPED", align: "right", min: 4 },
    { title: "", align: "left", min: 4, isOptional: true },
  ];
}

function limitText(by: SweepBy, limit: number): string {
  return by === "cost" ? usdText(limit) : limit.toLocaleString("en-US");
}

/** The configuration of the wanted limit, or of the lowest one that stops no good run. */
function tomlLines(
  { by, points, wanted, tomlOf }: SweepTable,
  sentence: (text: string) => readonly string[],
): readonly string[] {
  const harmless = points.find(({ stoppedGood, savedCalls }) => stoppedGood.length === 0 && savedCalls > 0)?.limit;
  const limit = wanted ?? harmless;
  if (limit === undefined) return [];
  const which = wanted === undefined ? "The lowest limit that stops no good run is" : "To set";
  return [
    ...sentence(
      `${which} ${limitText(by, limit)}${wanted === undefined ? ". To set it" : ""}, write in ~/.sheepdog/config.toml:`,
    ),
    "",
    ...tomlOf(limit)
      .split("\n")
      .map((line) => `  ${line}`),
  ];
}

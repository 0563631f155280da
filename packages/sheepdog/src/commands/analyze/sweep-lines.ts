import type { Io } from "../../io.ts";
import type { LookBackRun } from "../../look-back/look-back-run.ts";
import type { OutcomeCounts, SweepBy, sweepPoints } from "../../look-back/sweep.ts";
import { highestCallLimit } from "../../look-back/sweep-settings.ts";
import { ownSource } from "../../recordings/saved-run-recording.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { usdText } from "../../sentences/amount-text.ts";
import { barText } from "./bar-text.ts";

type Point = ReturnType<typeof sweepPoints>[number] & { readonly stopped: OutcomeCounts };

/** What the table of limits is made from. */
export interface SweepTable {
  readonly by: SweepBy;
  readonly points: readonly Point[];
  readonly current: number | null;
  readonly runs: readonly LookBackRun[];
  /** How the runs ended. */
  readonly outcomes: OutcomeCounts;
  /** The limit whose configuration is wanted; default: the lowest that stops no good run. */
  readonly wanted: number | undefined;
  readonly program: string;
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
  const { by, points, current, runs, outcomes } = table;
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
    ...[point.stopped.good, point.stopped.bad, point.stopped.unknown].map((count) => count.toLocaleString("en-US")),
    barText(weight(point) / most, BAR_COLUMNS, draws),
  ]);
  const [head = "", ...lines] = layOut(columnsFor(hasMoney), rows, width);
  const inForce = current === null ? "" : ` ${draws ? "→" : ">"} marks ${currentText(runs)}`;
  return [
    ...sentence(
      `What ${titles[by]} would have saved in ${counted(runs.length, "run")}: ${outcomesText(outcomes)}.${inForce}`,
    ),
    "",
    style.bold(head),
    ...lines.map((line, index) => (points[index]?.limit === current ? style.bold(line) : line)),
    "",
    ...sentence(
      "Saved counts the runs that ended badly or do not say how they ended; what they would have done instead is not " +
        "known.",
    ).map(style.dim),
    ...tomlLines(table, sentence),
  ];
}

const noLimits: Readonly<Record<SweepBy, string>> = {
  calls: "There is no run to compare limits with.",
  cost: "No run has a known cost, so limits on the cost cannot be compared; try --by calls or --by turns.",
  turns: "There is no turn to compare limits with.",
};

/** A run that does not say how it ended may have ended well. */
function outcomesText({ good, bad, unknown }: OutcomeCounts): string {
  const number = (count: number) => count.toLocaleString("en-US");
  if (good + bad === 0) return "how they ended is not recorded";
  const known = `${number(good)} ended well, ${number(bad)} did not`;
  if (unknown === 0) return known;
  return `${known}, and of ${number(unknown)} it is not recorded how ${unknown === 1 ? "it" : "they"} ended`;
}

/** The limit of Sheepdog's configuration ends no run of another agent. */
function currentText(runs: readonly LookBackRun[]): string {
  const isOwn = runs.every(({ source }) => source === ownSource);
  return isOwn ? "the limit in force." : "the limit of your configuration; other agents do not have it.";
}

function columnsFor(hasMoney: boolean): readonly Column[] {
  return [
    { title: "  LIMIT", align: "right", min: 7 },
    ...(hasMoney ? [{ title: "SAVED", align: "right", min: 7 } as const] : []),
    { title: hasMoney ? "CALLS" : "CALLS SAVED", align: "right", min: 5 },
    { title: "GOOD RUNS STOPPED", align: "right", min: 4 },
    { title: "BAD", align: "right", min: 3, isOptional: true },
    { title: "UNKNOWN", align: "right", min: 7, isOptional: true },
    { title: "", align: "left", min: 4, isOptional: true },
  ];
}

function limitText(by: SweepBy, limit: number): string {
  return by === "cost" ? usdText(limit) : limit.toLocaleString("en-US");
}

/** The configuration of the wanted limit, or of the lowest one that stops no good run. */
function tomlLines(table: SweepTable, sentence: (text: string) => readonly string[]): readonly string[] {
  const { by, points, wanted, tomlOf } = table;
  const harmless = points.find(({ stoppedGood, savedCalls }) => stoppedGood.length === 0 && savedCalls > 0)?.limit;
  const limit = wanted ?? harmless;
  if (limit === undefined) return [];
  if (wanted === undefined && by === "calls" && limit > highestCallLimit)
    return sentence(
      `No limit up to ${highestCallLimit} saves something without stopping a good run. Higher ones need other ` +
        `settings as well; to see them: ${table.program} analyze sweep --limit ${limit}`,
    );
  const title =
    wanted === undefined
      ? `The lowest limit that stops no run known to be good is ${limitText(by, limit)}. To set it`
      : `To set ${limitText(by, limit)}`;
  return [
    ...sentence(`${title}, write in ~/.sheepdog/config.toml:`),
    "",
    ...tomlOf(limit)
      .split("\n")
      .map((line) => `  ${line}`),
  ];
}

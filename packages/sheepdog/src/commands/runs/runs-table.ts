import { shortId } from "../../compose/ids.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";

const columns: readonly Column[] = [
  { title: "WHEN", align: "left", min: 6, isOptional: true },
  { title: "RUN", align: "left", min: 12 },
  { title: "STATE", align: "left", min: 10, shrinkPriority: 1 },
  { title: "PROMPT", align: "left", min: 8, shrinkPriority: 2 },
  { title: "TURNS", align: "right", min: 5, isOptional: true },
  { title: "COST", align: "right", min: 6, isOptional: true },
  { title: "GUARDIAN", align: "right", min: 8, isOptional: true },
];

interface Format {
  readonly style: Style;
  readonly width: number;
  readonly now: number;
  /** Whether the runs of subagents are listed. */
  readonly withSubagents: boolean;
}

/** Runs as the lines of a table. */
export function runsTable(
  runs: readonly RunSummary[],
  { style, width, now, withSubagents }: Format,
): readonly string[] {
  const shown = runs.flatMap((run) => (withSubagents ? [run, ...run.subagents] : [run]));
  const subagents = new Set(runs.flatMap((run) => run.subagents));
  const rows = shown.map((run) => rowOf(run, now, { isSubagent: subagents.has(run), isWide: width >= WIDE_COLUMNS }));
  const [head = "", ...lines] = layOut(columns, rows, width);
  return [style.bold(head), ...lines.map((line, index) => runStyle(shown[index], style)(line))];
}

const MAX_PROMPT_CHARS = 160;
/** The width from which longer descriptions fit. */
const WIDE_COLUMNS = 100;

function rowOf(
  { run, state, turns, costNanoUsd, interventions }: RunSummary,
  now: number,
  { isSubagent, isWide }: { readonly isSubagent: boolean; readonly isWide: boolean },
): string[] {
  const { count, highest } = interventions;
  return [
    isSubagent ? "" : shortDate(run.startedAt, now),
    plainText(shortId(run.runId)),
    `${describeState(state, run.reason)}${isWide && state === "broken_off" ? " (can be resumed)" : ""}`,
    `${isSubagent ? "└ " : ""}${plainText(run.prompt.slice(0, MAX_PROMPT_CHARS * 4)).slice(0, MAX_PROMPT_CHARS)}`,
    String(turns),
    costNanoUsd === null ? "?" : dollars(costNanoUsd / 1e9),
    highest === undefined ? "-" : count === 1 || !isWide ? highest : `${count} up to ${highest}`,
  ];
}

function runStyle(run: RunSummary | undefined, style: Style): (text: string) => string {
  if (run === undefined || run.state === "completed") return (text) => text;
  if (isLive(run.state)) return style.green;
  return run.state === "broken_off" || run.state === "cancelled" ? style.yellow : style.red;
}

import { shortId } from "../../compose/ids.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, fits, layOut } from "../../render/terminal/table.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";

/** The width from which a state is written in full. */
const WIDE_COLUMNS = 100;

/** The width of `waiting for you`, which is never cut. */
const WAITING_COLUMNS = 15;

/** A prompt is shortened to this width before a column is left out, and further only if that is not enough. */
const PROMPT_COLUMNS = 30;
const MIN_PROMPT_COLUMNS = 8;

type RunColumn = Column & { readonly name: keyof Row };

const allColumns: readonly RunColumn[] = [
  { name: "when", title: "WHEN", align: "left", min: 10, isOptional: true },
  { name: "id", title: "RUN", align: "left", min: 12 },
  { name: "state", title: "STATE", align: "left", min: WAITING_COLUMNS, shrinkPriority: 1 },
  { name: "prompt", title: "PROMPT", align: "left", min: PROMPT_COLUMNS, shrinkPriority: 2 },
  { name: "turns", title: "TURNS", align: "right", min: 5, isOptional: true },
  { name: "cost", title: "COST", align: "right", min: 9, isOptional: true },
  { name: "guardian", title: "GUARDIAN", align: "right", min: 16, isOptional: true },
];

/** The columns to leave out, in the order in which they are tried: the state already says how a run ended. */
const leftOut: readonly (readonly (keyof Row)[])[] = [[], ["turns"], ["guardian"]];

/** As many columns as fit. */
function columnsFor(rows: readonly Row[], width: number): readonly RunColumn[] {
  const fitting = leftOut
    .map((names) => allColumns.filter(({ name }) => !names.includes(name)))
    .find((columns) => fits(columns, cellsOf(rows, columns), width));
  if (fitting !== undefined) return fitting;
  return allColumns
    .filter(({ name }) => name !== "turns" && name !== "guardian")
    .map((column) => (column.name === "prompt" ? { ...column, min: MIN_PROMPT_COLUMNS } : column));
}

function cellsOf(rows: readonly Row[], columns: readonly RunColumn[]): readonly (readonly string[])[] {
  return rows.map((row) => columns.map(({ name }) => row[name]));
}

type Row = Readonly<Record<"when" | "id" | "state" | "prompt" | "turns" | "cost" | "guardian", string>>;

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
  const isWide = width >= WIDE_COLUMNS;
  const rows = shown.map((run) => rowOf(run, now, { isSubagent: subagents.has(run), isWide }));
  const columns = columnsFor(rows, width);
  const [head = "", ...lines] = layOut(columns, cellsOf(rows, columns), width);
  return [style.bold(head), ...lines.map((line, index) => runStyle(shown[index], style)(line))];
}

const MAX_PROMPT_CHARS = 160;

function rowOf(
  summary: RunSummary,
  now: number,
  { isSubagent, isWide }: { readonly isSubagent: boolean; readonly isWide: boolean },
): Row {
  const { run, state, turns, costNanoUsd, interventions, isDemo, agent } = summary;
  const described = describeState(summary);
  const mark = isSubagent ? "└ " : isDemo ? "demo: " : agent === undefined ? "" : `${agentLabel(agent)}: `;
  return {
    when: isSubagent ? "" : shortDate(run.startedAt, now),
    id: plainText(shortId(run.runId)),
    state: isWide
      ? `${described}${state === "broken_off" && summary.isLast ? " (can be resumed)" : ""}`
      : described.replace("ended: ", ""),
    prompt: `${mark}${plainText(run.prompt.slice(0, MAX_PROMPT_CHARS * 4)).slice(0, MAX_PROMPT_CHARS)}`,
    turns: String(turns),
    cost: isDemo ? "demo" : costNanoUsd === null ? "?" : dollars(costNanoUsd / 1e9),
    guardian: guardianText(interventions),
  };
}

/** How often the guardian intervened, and the strongest intervention. If the user was asked, the user decided. */
function guardianText({ count, highest, questions }: RunSummary["interventions"]): string {
  if (highest === undefined) return "-";
  if (questions > 0) return count === 1 ? "asked you" : `${count}, asked you`;
  return count === 1 ? highest : `${count} up to ${highest}`;
}

function runStyle(run: RunSummary | undefined, style: Style): (text: string) => string {
  if (run === undefined || run.state === "completed") return (text) => text;
  if (run.state === "waiting_for_input") return style.yellow;
  if (isLive(run.state)) return style.green;
  const isStopped = run.state === "broken_off" || run.state === "cancelled" || run.ended.isStoppedByUser === true;
  return isStopped ? style.yellow : style.red;
}

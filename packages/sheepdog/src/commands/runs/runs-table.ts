import { shortId } from "../../compose/ids.ts";
import { dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";

/** The width from which all columns fit. */
const WIDE_COLUMNS = 100;

/** The width of `waiting for you`, which is never cut. */
const WAITING_COLUMNS = 15;

/** In a narrow terminal the prompt takes most of the width: the state already says how a run ended. */
function columnsFor(isWide: boolean): readonly (Column & { readonly name: keyof Row })[] {
  const wide = (column: Column & { readonly name: keyof Row }) => (isWide ? [column] : []);
  return [
    { name: "when", title: "WHEN", align: "left", min: 5, isOptional: true },
    { name: "id", title: "RUN", align: "left", min: 12 },
    { name: "state", title: "STATE", align: "left", min: WAITING_COLUMNS, shrinkPriority: 1 },
    { name: "prompt", title: "PROMPT", align: "left", min: isWide ? 24 : 8, shrinkPriority: 2 },
    ...wide({ name: "turns", title: "TURNS", align: "right", min: 5, isOptional: true }),
    { name: "cost", title: "COST", align: "right", min: 6, isOptional: true },
    ...wide({ name: "guardian", title: "GUARDIAN", align: "right", min: 8, isOptional: true }),
  ];
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
  const columns = columnsFor(isWide);
  const rows = shown.map((run) => rowOf(run, now, { isSubagent: subagents.has(run), isWide }));
  const [head = "", ...lines] = layOut(
    columns,
    rows.map((row) => columns.map(({ name }) => row[name])),
    width,
  );
  return [style.bold(head), ...lines.map((line, index) => runStyle(shown[index], style)(line))];
}

const MAX_PROMPT_CHARS = 160;

function rowOf(
  { run, state, turns, costNanoUsd, interventions, isDemo }: RunSummary,
  now: number,
  { isSubagent, isWide }: { readonly isSubagent: boolean; readonly isWide: boolean },
): Row {
  const described = describeState(state, run.reason);
  const mark = isSubagent ? "└ " : isDemo ? "demo: " : "";
  return {
    when: isSubagent ? "" : shortDate(run.startedAt, now),
    id: plainText(shortId(run.runId)),
    state: isWide
      ? `${described}${state === "broken_off" ? " (can be resumed)" : ""}`
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
  return run.state === "broken_off" || run.state === "cancelled" ? style.yellow : style.red;
}

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

/** How a table looks. */
interface Look {
  readonly style: Style;
  readonly width: number;
  readonly now: number;
  /** Those of subagents as well. */
  readonly withChildren: boolean;
}

/** Runs as a table for people, the head first. */
export function runsTable(runs: readonly RunSummary[], { style, width, now, withChildren }: Look): readonly string[] {
  const shown = runs.flatMap((run) => (withChildren ? [run, ...run.subagents] : [run]));
  const isChild = new Set(runs.flatMap(({ subagents }) => subagents));
  const rows = shown.map((run) => rowOf(run, now, { isChild: isChild.has(run), isWide: width >= wide }));
  const [head = "", ...lines] = layOut(columns, rows, width);
  return [style.bold(head), ...lines.map((line, place) => paintOf(shown[place], style)(line))];
}

/** As much of an id as tells it from others. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

const longestPrompt = 160;
/** From so many columns on there is room for more words. */
const wide = 100;

function rowOf(
  { run, state, turns, costNanoUsd, interventions }: RunSummary,
  now: number,
  { isChild, isWide }: { readonly isChild: boolean; readonly isWide: boolean },
): string[] {
  const { count, highest } = interventions;
  return [
    isChild ? "" : shortDate(run.startedAt, now),
    plainText(shortId(run.runId)),
    `${describeState(state, run.reason)}${isWide && state === "broken_off" ? " (can be resumed)" : ""}`,
    `${isChild ? "└ " : ""}${plainText(run.prompt.slice(0, longestPrompt * 4)).slice(0, longestPrompt)}`,
    String(turns),
    costNanoUsd === null ? "?" : dollars(costNanoUsd / 1e9),
    highest === undefined ? "-" : count === 1 || !isWide ? highest : `${count} up to ${highest}`,
  ];
}

function paintOf(run: RunSummary | undefined, style: Style): (text: string) => string {
  if (run === undefined || run.state === "completed") return (text) => text;
  if (isLive(run.state)) return style.green;
  return run.state === "broken_off" || run.state === "cancelled" ? style.yellow : style.red;
}

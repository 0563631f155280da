import { unnamedModel } from "@sheepdog/records";
import { groupLabel } from "../../look-back/group-label.ts";
import { type Group, type Grouping, type GroupOrder, groupsBy, timeGroupings } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, fits, layOut } from "../../render/terminal/table.ts";
import { nanoUsdText } from "../../sentences/amount-text.ts";
import { barText } from "./bar-text.ts";

/** How tables are laid out. */
export interface TableLayout {
  readonly width: number;
  readonly style: Style;
  /** Whether the terminal shows more than ASCII. */
  readonly canDraw: boolean;
}

/** Numbers are never cut. */
const NUMBER = 99;
const BAR_COLUMNS = 12;
const MAX_NAME_COLUMNS = 40;
/** Causes begin with the same words. */
const CAUSE_COLUMNS = 24;
/** A bar is dropped before names are cut to less. */
const NAME_BESIDE_BAR = 28;

/** Which rows of a table are shown. */
export interface TableRows {
  readonly max: number;
  readonly order: GroupOrder;
  /** Whether a last row has the sums of all groups. */
  readonly hasTotal?: boolean;
}

/** The groups of one kind: how much of their calls and money went in circles. Empty if there are none. */
export function groupTable(
  lookBack: LookBack,
  by: Grouping,
  { max, order, hasTotal = false, ...layout }: TableRows & TableLayout,
): readonly string[] {
  const groups = groupsBy(lookBack, by, order).filter((group) => by !== "cause" || isStuck(group));
  const shown = timeGroupings.has(by) ? byName(groups).slice(-max) : groups.slice(0, max);
  if (shown.length === 0) return [];
  const unpriced = new Set(by === "model" ? lookBackTotals(lookBack).unpricedModels.map(({ model }) => model) : []);
  const hasMoney = groups.some(({ nanoUsd }) => nanoUsd > 0);
  const weight = (group: Group) => weightOf(group, { hasMoney, order: by === "cause" ? "circles" : order });
  const most = Math.max(...shown.map(weight));
  const columns = columnsFor(by, hasMoney);
  const rows = shown.map((group) =>
    rowOf(group, {
      by,
      hasMoney,
      isUnpriced: unpriced.has(group.name || unnamedModel) && group.nanoUsd === 0,
      bar: barText(weight(group) / (most || 1), BAR_COLUMNS, layout.canDraw),
    }),
  );
  if (hasTotal && groups.length > 1)
    rows.push(rowOf(totalGroup(lookBack), { by, hasMoney, isUnpriced: false, bar: "", label: "total" }));
  const [head = "", ...lines] = layOut(withoutBarIfNarrow(columns, rows, layout.width), rows, layout.width);
  const left = groups.length - shown.length;
  const more = left === 0 ? [] : [layout.style.dim(`and ${left.toLocaleString("en-US")} more (--by ${by})`)];
  return [layout.style.bold(head), ...lines, ...more];
}

function withoutBarIfNarrow(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly Column[] {
  const [name, ...others] = columns;
  if (name === undefined) return columns;
  return fits([{ ...name, min: NAME_BESIDE_BAR }, ...others], rows, width) ? columns : columns.slice(0, -1);
}

/** What the length of a bar means: what went in circles or was spent, in money where it is known. */
function weightOf(
  { stuckNanoUsd, stuckCalls, nanoUsd, calls }: Group,
  { hasMoney, order }: { readonly hasMoney: boolean; readonly order: GroupOrder },
): number {
  if (order === "spent") return hasMoney ? nanoUsd : calls;
  return hasMoney ? stuckNanoUsd : stuckCalls;
}

/** All runs as one group. A run with several causes is one run. */
function totalGroup(lookBack: LookBack): Group {
  const { costUsd, stuckUsd, ...totals } = lookBackTotals(lookBack);
  const nanoUsd = (usd: number | null) => Math.round((usd ?? 0) * 1e9);
  return { ...totals, name: "", nanoUsd: nanoUsd(costUsd), stuckNanoUsd: nanoUsd(stuckUsd) };
}

/** A cause may be one of which no call is a repetition. */
function isStuck({ stuckCalls, stuckNanoUsd }: Group): boolean {
  return stuckCalls > 0 || stuckNanoUsd > 0;
}

function byName(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function columnsFor(by: Grouping, hasMoney: boolean): readonly Column[] {
  const name: Column = {
    title: `BY ${by.toUpperCase()}`,
    align: "left",
    min: by === "cause" ? CAUSE_COLUMNS : 12,
    shrinkPriority: 1,
  };
  const bar: Column = { title: "", align: "left", min: 6, isOptional: true };
  if (by === "cause")
    return [
      name,
      { title: "RUNS", align: "right", min: NUMBER, isOptional: true },
      { title: "CALLS", align: "right", min: NUMBER },
      ...(hasMoney ? [{ title: "COST", align: "right", min: NUMBER } as const] : []),
      bar,
    ];
  const calls: Column = { title: "CALLS IN CIRCLES", align: "right", min: NUMBER, isOptional: hasMoney };
  const money: Column = { title: "COST IN CIRCLES", align: "right", min: NUMBER };
  return hasMoney ? [name, money, calls, bar] : [name, calls, bar];
}

interface RowSetup {
  readonly by: Grouping;
  readonly hasMoney: boolean;
  readonly isUnpriced: boolean;
  readonly bar: string;
  /** Instead of the group's name. */
  readonly label?: string;
}

function rowOf(group: Group, { by, hasMoney, isUnpriced, bar, label }: RowSetup): readonly string[] {
  const name = label ?? shortName(plainText(groupLabel(by, group.name)));
  const cost = nanoUsdText(group.stuckNanoUsd);
  if (by === "cause")
    return [name, number(group.stuckRuns), number(group.stuckCalls), ...(hasMoney ? [cost] : []), bar];
  const calls = `${number(group.stuckCalls)} of ${number(group.calls)}`;
  const money = isUnpriced ? "price unknown" : `${cost} of ${nanoUsdText(group.nanoUsd)}`;
  return hasMoney ? [name, money, calls, bar] : [name, calls, bar];
}

/** The end of a long path tells more than its beginning. */
function shortName(name: string): string {
  return name.length <= MAX_NAME_COLUMNS ? name : `…${name.slice(1 - MAX_NAME_COLUMNS)}`;
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}

import { unnamedModel } from "@sheepdog/records";
import { groupLabel } from "../../look-back/group-label.ts";
import { type Group, type Grouping, groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
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

/** The groups of one kind: how much of their calls and money went in circles. Empty if there are none. */
export function groupTable(lookBack: LookBack, by: Grouping, max: number, layout: TableLayout): readonly string[] {
  const groups = groupsBy(lookBack, by);
  const shown = by === "hour" || by === "day" ? byName(groups).slice(-max) : groups.slice(0, max);
  if (shown.length === 0) return [];
  const unpriced = new Set(by === "model" ? lookBackTotals(lookBack).unpricedModels.map(({ model }) => model) : []);
  const hasMoney = groups.some(({ nanoUsd }) => nanoUsd > 0);
  const most = Math.max(...shown.map((group) => weight(group, hasMoney)));
  const columns = columnsFor(by, hasMoney);
  const rows = shown.map((group) =>
    rowOf(group, {
      by,
      hasMoney,
      isUnpriced: unpriced.has(group.name || unnamedModel) && group.nanoUsd === 0,
      bar: barText(weight(group, hasMoney) / (most || 1), BAR_COLUMNS, layout.canDraw),
    }),
  );
  const [head = "", ...lines] = layOut(columns, rows, layout.width);
  const left = groups.length - shown.length;
  const more = left === 0 ? [] : [layout.style.dim(`and ${left.toLocaleString("en-US")} more (--by ${by})`)];
  return [layout.style.bold(head), ...lines, ...more];
}

/** What the length of a bar means: what went in circles, in money where it is known. */
function weight({ stuckNanoUsd, stuckCalls }: Group, hasMoney: boolean): number {
  return hasMoney ? stuckNanoUsd : stuckCalls;
}

function byName(groups: readonly Group[]): readonly Group[] {
  return groups.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function columnsFor(by: Grouping, hasMoney: boolean): readonly Column[] {
  const name: Column = { title: `BY ${by.toUpperCase()}`, align: "left", min: 12, shrinkPriority: 1 };
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
}

function rowOf(group: Group, { by, hasMoney, isUnpriced, bar }: RowSetup): readonly string[] {
  const name = shortName(plainText(groupLabel(by, group.name)));
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

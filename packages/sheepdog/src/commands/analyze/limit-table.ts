import type { LimitTotal } from "../../look-back/limit-totals.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { usdText } from "../../sentences/amount-text.ts";
import type { TableLayout } from "./group-table.ts";

/** Numbers are never cut. */
const NUMBER = 99;

/** How many runs each limit of the policy would have ended, and what that would have saved. Empty without a limit. */
export function limitTable(totals: readonly LimitTotal[], { width, style }: TableLayout): readonly string[] {
  if (totals.length === 0) return [];
  const hasMoney = totals.some(({ savedUsd }) => savedUsd !== null);
  const columns: readonly Column[] = [
    { title: "BY LIMIT", align: "left", min: 8, shrinkPriority: 1 },
    { title: "RUNS ENDED", align: "right", min: NUMBER },
    { title: "CALLS SAVED", align: "right", min: NUMBER, isOptional: hasMoney },
    ...(hasMoney ? [{ title: "COST SAVED", align: "right", min: NUMBER } as const] : []),
  ];
  const rows = totals.map(({ limit, runs, savedCalls, savedUsd }) => [
    limit,
    runs.toLocaleString("en-US"),
    savedCalls.toLocaleString("en-US"),
    ...(hasMoney ? [savedUsd === null && runs > 0 ? "unknown" : usdText(savedUsd ?? 0)] : []),
  ]);
  const [head = "", ...lines] = layOut(columns, rows, width);
  const note = "Saved is what these runs did after the limit; whether they would have been missed is not known.";
  return [style.bold(head), ...lines, ...wrap(note, width).map(style.dim)];
}

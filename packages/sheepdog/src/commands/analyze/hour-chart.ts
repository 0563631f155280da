import { type Group, groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { nanoUsdText } from "../../sentences/amount-text.ts";
import { columnsText } from "./bar-text.ts";
import type { TableLayout } from "./group-table.ts";

/** The hours of the day as one line of columns; empty if no loop has a time. */
export function hourChart(lookBack: LookBack, { style, canDraw }: TableLayout): readonly string[] {
  const groups = new Map(groupsBy(lookBack, "hour").map((group) => [group.name, group]));
  const hasMoney = [...groups.values()].some(({ stuckNanoUsd }) => stuckNanoUsd > 0);
  const weight = (group: Group | undefined) => (hasMoney ? group?.stuckNanoUsd : group?.stuckCalls) ?? 0;
  const hours = Array.from({ length: 24 }, (_, hour) => groups.get(String(hour).padStart(2, "0")));
  const worst = hours.reduce((a, b) => (weight(b) > weight(a) ? b : a));
  if (worst === undefined || weight(worst) === 0) return [];
  const next = String((Number(worst.name) + 1) % 24).padStart(2, "0");
  const amount = hasMoney ? nanoUsdText(worst.stuckNanoUsd) : counted(worst.stuckCalls, "call");
  const sentence = `most from ${worst.name}:00 to ${next}:00: ${amount}`;
  if (!canDraw) return [`${style.bold("BY HOUR")}  ${sentence}`];
  return [
    `${style.bold("BY HOUR")}  ${columnsText(hours.map(weight))}`,
    style.dim("         0     6     12    18   23"),
    style.dim(sentence),
  ];
}

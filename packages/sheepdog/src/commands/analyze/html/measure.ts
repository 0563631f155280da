import type { Group } from "../../../look-back/groups.ts";
import { usdText } from "../../../sentences/amount-text.ts";

/** What bars show: money, or calls where no cost is known. */
export interface Measure {
  readonly isMoney: boolean;
  /** "Spent" or "Calls". */
  readonly title: string;
  all(group: Pick<Group, "nanoUsd" | "calls">): number;
  stuck(group: Pick<Group, "stuckNanoUsd" | "stuckCalls">): number;
  /** An amount as people read it. */
  text(amount: number): string;
  /** An amount at a mark of an axis. */
  tick(amount: number, step: number): string;
}

const money: Measure = {
  isMoney: true,
  title: "Spent",
  all: ({ nanoUsd }) => nanoUsd / 1e9,
  stuck: ({ stuckNanoUsd }) => stuckNanoUsd / 1e9,
  text: usdText,
  tick: (amount, step) => `$${fixed(amount, Number.isInteger(step) ? 0 : Math.max(2, Math.ceil(-Math.log10(step))))}`,
};

const calls: Measure = {
  isMoney: false,
  title: "Calls",
  all: ({ calls: count }) => count,
  stuck: ({ stuckCalls }) => stuckCalls,
  text: (amount) => amount.toLocaleString("en-US"),
  tick: (amount) => amount.toLocaleString("en-US"),
};

/** Money where some is known, else calls. */
export function chooseMeasure(costUsd: number | null): Measure {
  return costUsd === null || costUsd === 0 ? calls : money;
}

function fixed(amount: number, digits: number): string {
  return amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

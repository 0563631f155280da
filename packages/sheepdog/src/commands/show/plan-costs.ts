import type { LedgerEntry } from "@sheepdog/agent";
import { dollars } from "../../render/terminal/amounts.ts";

/** The costs of a director's run in nano-dollars; null if a price is unknown. */
export interface PlanCosts {
  readonly planning: number | null;
  /** Of the director's own goal. */
  readonly judge: number | null;
  /** Everything else that the director asked a model. */
  readonly other: number | null;
  /** Of the nodes and their subagents, including their judges. */
  readonly nodes: number | null;
  /** The part of `nodes` for their judges. */
  readonly nodeJudges: number | null;
}

/** Sums the ledger entries of a director and its nodes. */
export function planCosts(entries: readonly LedgerEntry[], directorRunId: string): PlanCosts {
  const isOwn = ({ runId }: LedgerEntry) => runId === directorRunId;
  const sum = (isPart: (entry: LedgerEntry) => boolean) =>
    entries
      .filter(isPart)
      .reduce<number | null>(
        (total, { costNanoUsd }) => (total === null || costNanoUsd === null ? null : total + costNanoUsd),
        0,
      );
  return {
    planning: sum((entry) => isOwn(entry) && entry.purpose === "plan"),
    judge: sum((entry) => isOwn(entry) && entry.purpose === "judge"),
    other: sum((entry) => isOwn(entry) && entry.purpose !== "plan" && entry.purpose !== "judge"),
    nodes: sum((entry) => !isOwn(entry)),
    nodeJudges: sum((entry) => !isOwn(entry) && entry.purpose === "judge"),
  };
}

/** `cost: planning $0.02, judge $0.001, nodes $1.20 (judges $0.03), total $1.22` */
export function planCostsText(costs: PlanCosts, totalNanoUsd: number | null): string {
  const amount = (nanoUsd: number | null) => (nanoUsd === null ? "?" : dollars(nanoUsd / 1e9));
  const judges = costs.nodeJudges === 0 ? "" : ` (judges ${amount(costs.nodeJudges)})`;
  return [
    `cost: planning ${amount(costs.planning)}`,
    `judge ${amount(costs.judge)}`,
    ...(costs.other === 0 ? [] : [`other turns ${amount(costs.other)}`]),
    `nodes ${amount(costs.nodes)}${judges}`,
    `total ${amount(totalNanoUsd)}`,
  ].join(", ");
}

import type { Usage } from "../protocol/messages.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import { noUsage, sumUsage } from "../protocol/usage.ts";
import type { CostRow } from "../stores/stores.ts";

/** What a run has used and cost; the cost is null when a price is unknown. */
export interface RunSpending {
  readonly usage: Usage;
  readonly costNanoUsd: number | null;
}

/** The spending of a run by the ledger, which also has the requests in flight when a process crashed. */
export function spendingOfRun(runId: string, rows: readonly CostRow[]): RunSpending {
  return spendingOf(rows.filter((row) => row.runId === runId));
}

/** The sum of rows of the ledger. */
export function spendingOf(rows: readonly CostRow[]): RunSpending {
  return rows.reduce(sumSpending, nothingUsed);
}

export const nothingUsed: RunSpending = { usage: noUsage, costNanoUsd: 0 };

export function sumSpending(one: RunSpending, other: RunSpending): RunSpending {
  return { usage: sumUsage(one.usage, other.usage), costNanoUsd: sumCost(one.costNanoUsd, other.costNanoUsd) };
}

/** Null when a price is unknown. */
export function sumCost(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** The spending of a run for each purpose that it had requests for. A row without a purpose belongs to a turn. */
export function spendingByPurpose(runId: string, rows: readonly CostRow[]): ReadonlyMap<RequestPurpose, RunSpending> {
  const purposes = new Set(rows.map(({ purpose = "turn" }) => purpose));
  const rowsFor = (wanted: RequestPurpose) => rows.filter(({ purpose = "turn" }) => purpose === wanted);
  return new Map([...purposes].map((purpose) => [purpose, spendingOfRun(runId, rowsFor(purpose))]));
}

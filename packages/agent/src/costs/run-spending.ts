import type { Usage } from "../protocol/messages.ts";
import { noUsage, sumUsage } from "../protocol/usage.ts";
import type { CostRow } from "../stores/stores.ts";

/** What a run has used by the books, which know more than its checkpoint: also what was under way when a process ended. */
export function spentBy(
  runId: string,
  rows: readonly CostRow[],
): { readonly usage: Usage; readonly costNanoUsd: number | null } {
  const own = rows.filter((row) => row.runId === runId);
  const isPriced = own.every(({ costNanoUsd }) => costNanoUsd !== null);
  return {
    usage: own.map(({ usage }) => usage).reduce(sumUsage, noUsage),
    costNanoUsd: isPriced ? own.reduce((sum, { costNanoUsd }) => sum + (costNanoUsd ?? 0), 0) : null,
  };
}

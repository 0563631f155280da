import type { RunRow } from "../../../contract/index.ts";
import { usd } from "../../../format/amounts.ts";

/** What an earlier end means: money saved, or the work of a run that recovered lost. */
export function effectWords(state: RunRow["state"], laterUsd: number | null): string {
  const amount = laterUsd === null ? "the later work" : `${usd(laterUsd)} of later work`;
  if (state === "completed") return `Would have ended a run that recovered: ${amount} lost.`;
  return laterUsd === null ? "" : `Would have saved ${usd(laterUsd)}.`;
}

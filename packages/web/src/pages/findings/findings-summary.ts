import type { Findings } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";

/** What was looked at and what was found, in two or three sentences. */
export function findingsSummary({ totals, sources }: Findings, days: number | undefined): string {
  const { runs, stuckRuns, stuckUsd, costUsd, stuckCalls, calls, unpricedRuns } = totals;
  if (runs === 0) return "";
  const span = days === undefined ? "" : ` from ${counted(days, "day")}`;
  const from = sources.map(({ source, runs: count }) => `${count.toLocaleString("en-US")} of ${source}`).join(", ");
  const [only] = sources;
  const looked =
    sources.length === 1 && only !== undefined
      ? `${counted(runs, "run")} of ${only.source}${span}.`
      : `${counted(runs, "run")}${span}${from === "" ? "" : `: ${from}`}.`;
  const unpriced =
    unpricedRuns > 0 && costUsd !== null ? ` ${counted(unpricedRuns, "run")} without a known price.` : "";
  if (stuckRuns === 0) return `${looked} None of them got stuck.${unpriced}`;
  const cost =
    costUsd === null || stuckUsd === null
      ? `that took ${stuckCalls.toLocaleString("en-US")} of ${counted(calls, "call")}`
      : `that cost ${usd(stuckUsd)} of ${usd(costUsd)}`;
  return `${looked} ${stuckRuns.toLocaleString("en-US")} of them got stuck; ${cost}.${unpriced}`;
}

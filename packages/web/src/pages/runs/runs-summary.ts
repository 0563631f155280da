import type { RunRow } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import type { DayGroup } from "./day-groups.ts";

/** "4 live, 2 of them wait for you. Last night cost $40.62; $37.79 of it bought nothing." */
export function runsSummary(live: readonly RunRow[], newest: DayGroup | undefined): string {
  const first = live.length === 0 ? "Nothing is running." : `${live.length} live${waitingPart(live)}.`;
  return newest === undefined ? first : `${first} ${costSentence(newest)}`.trimEnd();
}

/** "14 runs match the filter." `hasMore`: older ones are not loaded yet. */
export function filteredSummary(count: number, hasMore: boolean): string {
  if (count === 0) return "No run matches the filter.";
  if (hasMore) return `More than ${count} runs match the filter.`;
  return `${counted(count, "run")} ${count === 1 ? "matches" : "match"} the filter.`;
}

/** "4 runs, 2 of them wait for you". */
export function liveSummary(live: readonly RunRow[]): string {
  return `${counted(live.length, "run")}${waitingPart(live)}`;
}

/** "Wed 11 Nov, $40.62". */
export function daySummary({ date, costUsd, unpriced, runs }: DayGroup): string {
  const isPriced = unpriced < runs.length;
  const parts = [
    date,
    isPriced ? usd(costUsd) : "",
    unpriced === 0 ? "" : `${isPriced ? counted(unpriced, "run") : ""} without a price`.trim(),
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function waitingPart(live: readonly RunRow[]): string {
  const waiting = live.filter(({ waitsFor }) => waitsFor !== null).length;
  if (waiting === 0) return "";
  if (waiting === live.length) return waiting === 1 ? ", and it waits for you" : ", and all of them wait for you";
  return `, ${waiting} of them ${waiting === 1 ? "waits" : "wait"} for you`;
}

function costSentence({ name, costUsd, loopUsd }: DayGroup): string {
  if (costUsd === 0) return "";
  const loops = loopUsd < 0.01 ? "" : `; ${usd(loopUsd)} of it bought nothing`;
  return `${name} cost ${usd(costUsd)}${loops}.`;
}

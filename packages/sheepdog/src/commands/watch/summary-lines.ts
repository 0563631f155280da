import { basename } from "node:path";
import { countsText } from "../../attach/hook-activity.ts";
import type { WatchedRun } from "../../attach/watch/watched-run.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shellWord } from "../../render/terminal/shell-word.ts";

/** What was seen, said and saved, in a few sentences. */
export function summaryLines(label: string, run: WatchedRun, ms: number): readonly string[] {
  const { spools, turns, calls, refusedCalls, costNanoUsd, endedLoopsNanoUsd, activity } = run;
  if (activity.firings === 0)
    return [`no hook of ${label} has fired, so nothing was seen; see docs/integrations for what may be the reason`];
  const cost = costNanoUsd === null ? "" : `, ${dollars(costNanoUsd / 1e9)}`;
  const seen = `watched ${label} for ${durationText(ms)}: ${counted(turns, "turn")}, ${counted(calls, "call")}${cost}`;
  const [said, wouldSay] = [countsText(activity.applied), countsText(activity.observed)];
  const loops =
    endedLoopsNanoUsd === 0 ? "" : `; the loops that were ended had cost ${dollars(endedLoopsNanoUsd / 1e9)}`;
  return [
    seen,
    said === undefined ? "the guardian said nothing" : `the guardian gave ${said}`,
    ...(wouldSay === undefined ? [] : [`it would have given ${wouldSay}`]),
    ...(activity.lastMessage === null ? [] : [`last: ${plainText(activity.lastMessage)}`]),
    ...(refusedCalls === 0 ? [] : [`saved: ${counted(refusedCalls, "call")} not executed${loops}`]),
    ...(activity.lastProblem === null ? [] : [plainText(activity.lastProblem)]),
    ...spools.slice(0, 3).map(({ file }) => `to look at it: sheepdog show ${shellWord(shownName(file))}`),
  ];
}

/** A spool is named after its session, which `show` finds, or after a hash of it. This run is the last one. */
function shownName(file: string): string {
  const name = basename(file, ".jsonl");
  return name.startsWith("session-") ? "last" : name;
}

function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${(seconds / 3_600).toFixed(1)} h`;
}

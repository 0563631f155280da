import type { Level } from "@sheepdog/guardian";
import type { RunRow } from "@sheepdog/web/contract";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { isLive } from "../../../saved-runs/run-state.ts";
import { highest } from "../../../saved-runs/trace/loops.ts";
import { openRequests } from "../../../saved-runs/trace/run-trace.ts";
import type { RunData } from "../run-data/run-data.ts";

type GuardianMark = NonNullable<RunRow["guardian"]>;

const wouldHave: Readonly<Record<Level, string>> = {
  hint: "would have hinted",
  warn: "would have warned",
  block: "would have refused",
  halt: "would have ended",
};

/** What the guardian did in a run, in a few words; null if it did nothing. */
export function guardianMark({ summary, trace, loops }: RunData): GuardianMark | null {
  const all = trace.interventions.map(({ intervention }) => intervention);
  const open = isLive(summary.state) ? openRequests(trace).questions[0] : undefined;
  if (open !== undefined) {
    const { detector, level } = open.question.intervention;
    return { level: isLimit(detector) ? "limit" : level, text: "asks you", isRecovered: false, isApplied: true };
  }
  const ofLoops = all.filter(({ detector }) => !isLimit(detector));
  const applied = highest(ofLoops.filter(({ isApplied }) => isApplied));
  if (applied !== undefined) {
    const isRecovered = applied !== "halt" && loops.length > 0 && loops.every((loop) => loop.recoveredAt !== undefined);
    return { level: applied, text: isRecovered ? `${applied}, recovered` : applied, isRecovered, isApplied: true };
  }
  const limit = all.findLast(({ detector, isApplied }) => isLimit(detector) && isApplied);
  if (limit !== undefined)
    return { level: "limit", text: limit.detector.replaceAll("-", " "), isRecovered: false, isApplied: true };
  const level = highest(ofLoops);
  return level === undefined ? null : { level, text: wouldHave[level], isRecovered: false, isApplied: false };
}

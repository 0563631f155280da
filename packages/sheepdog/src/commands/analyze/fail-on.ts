import { type Level, levels } from "@sheepdog/guardian";
import type { RunReport } from "@sheepdog/records";

/** Whether a run has an intervention of this level or a higher one. */
export function isFailing(report: RunReport, failOn: Level | "any" | undefined): boolean {
  if (failOn === undefined) return false;
  const least = failOn === "any" ? 0 : levels.indexOf(failOn);
  return report.interventions.some((each) => levels.indexOf(each.level) >= least);
}

/** Words with which recordings say that a run ended well. */
const goodWords: ReadonlySet<string> = new Set([
  ...["success", "successful", "successfully", "succeeded", "complete", "completed", "done", "finished"],
  ...["resolved", "solved", "fixed", "pass", "passed", "accepted", "answered", "goal_accepted", "goal reached"],
  ...["correct", "ok", "true", "1", "1.0"],
]);

/** Whether a recorded outcome says that the run ended well. Without an outcome this is unknown, so it does not. */
export function isGoodOutcome(outcome: string | undefined): boolean {
  return outcome !== undefined && goodWords.has(outcome.trim().toLowerCase().replace(/[.!]$/, ""));
}

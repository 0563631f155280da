/** Words with which recordings say that a run ended well. */
const goodWords =
  /^(?:success(?:ful(?:ly)?)?|succeeded|completed?|done|finished|resolved|solved|fixed|pass(?:ed)?|accepted|answered|goal_accepted|goal reached|correct|ok|true|1(?:\.0)?)$/i;

/** Whether a recorded outcome says that the run ended well. Without an outcome this is unknown, so it does not. */
export function isGoodOutcome(outcome: string | undefined): boolean {
  return outcome !== undefined && goodWords.test(outcome.trim().replace(/[.!]$/, ""));
}

import type { RunResult } from "@sheepdog/agent";
import { plainText } from "../../render/terminal/plain-text.ts";
import { reasonText } from "../../render/timeline/reason-text.ts";
import { costSummary } from "../../render/timeline/run-cost.ts";

/**
 * The last line of a run that did not complete: why it ended, what it cost, and the command that continues it, if any.
 * `isShown`: the terminal already shows the run.
 */
export function stoppedLine(
  result: RunResult,
  { resume, isShown }: { readonly resume: string | undefined; readonly isShown: boolean },
): string {
  const { reason, problem, interventions } = result;
  const isProblemShown =
    problem === undefined ||
    reason === "cancelled" ||
    (isShown && interventions.some(({ message }) => message === problem));
  const why = isProblemShown ? reasonText[reason] : plainText(problem).replace(/\.$/, "");
  return `${why} (${reason}; ${costSummary(result)}).${resume === undefined ? "" : ` To resume: ${resume}`}`;
}

/** The last line of a completed run. */
export function completedLine(result: RunResult, isSaved: boolean): string {
  return isSaved
    ? `${result.sessionId}: ${costSummary(result)}. To continue: sheepdog run --continue "…"`
    : `${costSummary(result)}.`;
}

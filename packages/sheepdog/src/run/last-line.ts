import type { RunResult } from "@sheepdog/agent";
import { counted, dollars } from "../terminal/amounts.ts";
import { plainText } from "../terminal/plain-text.ts";
import { reasonWords } from "../timeline/reason-words.ts";

/** Why a run was ended, what it cost, and the command that goes on, where there is one: all on one line. `isShown`: the person has seen the run. */
export function lastLine(result: RunResult, { resume, isShown }: { readonly resume: string | undefined; readonly isShown: boolean }): string {
  const { reason, problem, interventions } = result;
  const isKnown = problem === undefined || reason === "cancelled" || (isShown && interventions.some(({ message }) => message === problem)); // the guardian's words are on the screen
  const why = isKnown ? reasonWords[reason] : plainText(problem).replace(/\.$/, "");
  return `${why} (${reason}; ${spentBy(result)}).${resume === undefined ? "" : ` Go on: ${resume}`}`;
}

/** What is said of a run that is complete. */
export function doneLine(result: RunResult, isKept: boolean): string {
  return isKept ? `${result.sessionId}: ${spentBy(result)}. Go on: sheepdog run --continue "…"` : `${spentBy(result)}.`;
}

function spentBy({ turns, costNanoUsd }: RunResult): string {
  return `${counted(turns, "turn")}, ${costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9)}`;
}

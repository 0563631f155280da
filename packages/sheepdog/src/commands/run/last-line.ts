import type { RunResult } from "@sheepdog/agent";
import { plainText } from "../../render/terminal/plain-text.ts";
import { reasonWords } from "../../render/timeline/reason-words.ts";
import { spentWords } from "../../render/timeline/spent-words.ts";

/** Why a run was ended, what it cost, and the command that goes on, where there is one: all on one line. `isShown`: the person has seen the run. */
export function lastLine(
  result: RunResult,
  { resume, isShown }: { readonly resume: string | undefined; readonly isShown: boolean },
): string {
  const { reason, problem, interventions } = result;
  const isKnown =
    problem === undefined ||
    reason === "cancelled" ||
    (isShown && interventions.some(({ message }) => message === problem)); // the guardian's words are on the screen
  const why = isKnown ? reasonWords[reason] : plainText(problem).replace(/\.$/, "");
  return `${why} (${reason}; ${spentWords(result)}).${resume === undefined ? "" : ` Go on: ${resume}`}`;
}

/** What is said of a run that is complete. */
export function doneLine(result: RunResult, isKept: boolean): string {
  return isKept
    ? `${result.sessionId}: ${spentWords(result)}. Go on: sheepdog run --continue "…"`
    : `${spentWords(result)}.`;
}

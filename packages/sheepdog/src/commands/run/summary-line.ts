import type { RunResult } from "@sheepdog/agent";
import { counted } from "../../render/terminal/amounts.ts";
import { sentenceLines, sentenceWithCommand } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { endCause, endText, isUnpricedEnd } from "../../render/timeline/reason-text.ts";
import { costSummary } from "../../render/timeline/run-cost.ts";

export interface StoppedLineOptions {
  readonly resume: string | undefined;
  /** stderr already shows the interventions of the run. */
  readonly isShown: boolean;
  /** Of the terminal. */
  readonly width: number;
}

/** The last lines of a run that did not complete: why it ended, its cost, and the command that continues it, if any. */
export function stoppedLines(result: RunResult, { resume, isShown, width }: StoppedLineOptions): readonly string[] {
  const { reason, problem, interventions, isStoppedByUser } = result;
  const isUnpriced = isUnpricedEnd(result);
  const isProblemShown =
    problem === undefined ||
    reason === "cancelled" ||
    isStoppedByUser === true ||
    (isShown && interventions.some(({ message }) => message === problem));
  const why = isProblemShown || isUnpriced ? endText(result) : plainText(problem).replace(/\.$/, "");
  const advice = isUnpriced ? " To keep the limit, set the price in [budget.pricing_overrides]." : "";
  const sentence = `sheepdog: ${why} (${endCause(reason)}${costSummary(result)}).${advice}`;
  if (resume === undefined) return sentenceLines(sentence, width);
  return sentenceWithCommand(sentence, `To resume${isUnpriced ? " without it" : ""}: ${resume}`, width);
}

/** How many calls were refused because nobody could approve them, and the command that shows them. */
export function refusedLines(refused: number, showCommand: string, width: number): readonly string[] {
  const sentence = `sheepdog: refused ${counted(refused, "call")} that needed approval.`;
  return sentenceWithCommand(sentence, `Details: ${showCommand}`, width);
}

/** The last lines of a completed run. */
export function completedLines(
  result: RunResult,
  { program, isSaved, width }: { readonly program: string; readonly isSaved: boolean; readonly width: number },
): readonly string[] {
  if (!isSaved) return [`${costSummary(result)}.`];
  return sentenceWithCommand(
    `${result.sessionId}: ${costSummary(result)}.`,
    `To continue: ${program} run --continue "…"`,
    width,
  );
}

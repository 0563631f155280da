import type { RunResult } from "@sheepdog/agent";
import { commandLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { endCause, reasonText } from "../../render/timeline/reason-text.ts";
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
  const { reason, problem, interventions } = result;
  const isProblemShown =
    problem === undefined ||
    reason === "cancelled" ||
    (isShown && interventions.some(({ message }) => message === problem));
  const why = isProblemShown ? reasonText[reason] : plainText(problem).replace(/\.$/, "");
  const sentence = `sheepdog: ${why} (${endCause(reason)}${costSummary(result)}).`;
  return resume === undefined ? wrapped(sentence, width) : withCommand(sentence, ["To resume:", resume], width);
}

/** The last lines of a completed run. */
export function completedLines(
  result: RunResult,
  { program, isSaved, width }: { readonly program: string; readonly isSaved: boolean; readonly width: number },
): readonly string[] {
  if (!isSaved) return [`${costSummary(result)}.`];
  const command = `${program} run --continue "…"`;
  return withCommand(`${result.sessionId}: ${costSummary(result)}.`, ["To continue:", command], width);
}

/** On one line if it fits; else the command starts on a line of its own, and no line breaks within a word. */
function withCommand(
  sentence: string,
  [label, command]: readonly [label: string, command: string],
  width: number,
): readonly string[] {
  const line = `${sentence} ${label} ${command}`;
  if (widthOf(line) <= width) return [line];
  return [...wrapped(sentence, width), label, ...commandLines(command, width - 2).map((part) => `  ${part}`)];
}

function wrapped(sentence: string, width: number): readonly string[] {
  return Number.isFinite(width) ? plainLines(sentence, width) : [sentence];
}

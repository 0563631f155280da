import { duration } from "@sheepdog/agent/timeline";
import { agentLabel } from "../../look-back/agent-label.ts";
import type { WorstRun } from "../../look-back/worst-runs.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { shortDate } from "../../render/terminal/short-date.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { usdText } from "../../sentences/amount-text.ts";
import type { TableLayout } from "./group-table.ts";
import { quoted } from "./styled-sentence.ts";

/** How one of the worst runs is printed. */
export interface WorstSetup extends TableLayout {
  readonly place: number;
  readonly now: number;
  readonly program: string;
}

const INDENT = 4;

/** One of the worst runs: what happened, where, what it cost, what would have ended it, and how to see it. */
export function worstLines(worst: WorstRun, { place, now, program, width, style }: WorstSetup): readonly string[] {
  const amount = worst.costUsd === null ? counted(worst.calls, "call") : usdText(worst.costUsd);
  const sentenceWidth = width - INDENT - widthOf(amount) - 2;
  const [first = "", ...rest] = wrap(plainText(`${quoted(worst.sentence)}.`), Math.max(sentenceWidth, 16));
  const gap = " ".repeat(Math.max(1, width - INDENT - widthOf(first) - widthOf(amount)));
  const indented = (text: string) => wrap(text, width - INDENT).map((line) => " ".repeat(INDENT) + line);
  return [
    `${`${place}.`.padStart(INDENT - 1)} ${first}${gap}${style.bold(amount)}`,
    ...rest.map((line) => " ".repeat(INDENT) + line),
    ...indented(plainText(factsText(worst, now))).map(style.dim),
    ...indented(stopText(worst)),
    // What came from standard input cannot be read again.
    ...(worst.run.file === "stdin" ? [] : [" ".repeat(INDENT) + style.cyan(`${program} show ${worst.run.id}`)]),
  ];
}

/** When it was, which agent, where, and how long. */
function factsText({ run, startedAt, ms, calls, costUsd, otherLoops }: WorstRun, now: number): string {
  const facts = [
    startedAt === null ? undefined : shortDate(startedAt, now),
    agentLabel(run.source),
    run.project ?? undefined,
    costUsd === null ? undefined : `${counted(calls, "call")} in circles`,
    ms === null || ms < 1_000 ? undefined : `for ${duration(ms)}`,
    otherLoops === 0 ? undefined : `and ${counted(otherLoops, "more loop")}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

/** The call at which the policy would have ended the run, and what that would have saved. */
export function stopText({ stop, run }: Pick<WorstRun, "stop" | "run">): string {
  if (stop === undefined) return `${strongest(run)}; the run would not have been ended.`;
  const { calls, costUsd } = stop.remaining;
  const where = stop.call < 0 ? "before the first call" : `at call ${(stop.call + 1).toLocaleString("en-US")}`;
  if (calls === 0) return `It would have been ended ${where}, its last one.`;
  const money = costUsd === null ? "" : ` and ${usdText(costUsd)}`;
  return `It would have been ended ${where}, which would have saved ${counted(calls, "call")}${money}.`;
}

/** What the policy would have done at most. */
function strongest({ episodes }: WorstRun["run"]): string {
  const reached = new Set(episodes.flatMap(({ interventions }) => interventions.map(({ level }) => level)));
  if (reached.has("block")) return "A call would have been refused";
  return `The agent would have been given a ${reached.has("warn") ? "warning" : "hint"}`;
}

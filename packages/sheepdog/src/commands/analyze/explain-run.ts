import { type ReportedIntervention, remainingSpend } from "@sheepdog/records";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import type { AnalyzedRun } from "./reporter.ts";

/** Each finding of a run with the calls that show it and what the guardian would have said, as lines of at most `width` columns. */
export function explainRun({ report, run }: AnalyzedRun, width: number): string[] {
  const calls = run.steps.flatMap((step) => step.calls);
  const lines = [cut(`Run ${plainText(report.id)}`, width)];
  for (const intervention of report.interventions) {
    const { detector, level, call, turn, evidence, message } = intervention;
    lines.push(
      cut(`  ${detector}: ${level} ${call < 0 ? "before the first call" : `after call ${call}`}, turn ${turn}`, width),
    );
    for (const index of evidence) {
      const made = calls[index];
      if (made !== undefined) lines.push(cut(`    call ${index}  ${describeCall(made)}`, width));
    }
    lines.push(...wrap(`Would have said: ${plainText(message)}`, width - 4).map((line) => `    ${line}`));
    if (level === "halt") lines.push(...wrap(afterHalt(run, intervention), width - 4).map((line) => `    ${line}`));
  }
  return lines;
}

function afterHalt(run: AnalyzedRun["run"], intervention: ReportedIntervention): string {
  const { calls, costUsd } = remainingSpend(run, intervention);
  return `Would have ended the run here; ${counted(calls, "call")}${costUsd === null ? "" : ` and ${dollars(costUsd)}`} came after (what would have happened instead nobody knows).`;
}

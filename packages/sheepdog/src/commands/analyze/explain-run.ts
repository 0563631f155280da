import { type ReportedIntervention, type ReportedOpinion, remainingSpend } from "@sheepdog/records";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { describeCall } from "../../render/terminal/describe-call.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { cut } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import type { AnalyzedRun } from "./reporter.ts";

/**
 * Explains each finding of a run: the calls behind it and the message that the guardian would have sent; and lists the
 * second opinions. Lines have at most `width` columns.
 */
export function explainRun({ report, run }: AnalyzedRun, width: number): string[] {
  const calls = run.steps.flatMap((step) => step.calls);
  const indented = (text: string) => wrap(text, width - 4).map((line) => `    ${line}`);
  const lines = [cut(`Run ${plainText(report.id)}`, width)];
  for (const intervention of report.interventions) {
    const { detector, level, call, turn, evidence, message } = intervention;
    const position = call < 0 ? "before the first call" : `after call ${call + 1}`;
    lines.push(cut(`  ${detector}: ${level} ${position}, turn ${turn + 1}`, width));
    for (const index of evidence) {
      const evidenceCall = calls[index];
      if (evidenceCall !== undefined) lines.push(cut(`    call ${index + 1}  ${describeCall(evidenceCall)}`, width));
    }
    lines.push(...indented(`Would have said: ${plainText(message)}`));
    if (level === "halt") lines.push(...indented(spentAfterHalt(run, intervention)));
  }
  for (const opinion of report.opinions ?? []) {
    lines.push(...wrap(opinionSentence(opinion), width - 2).map((line) => `  ${line}`));
    if (opinion.advice !== null) lines.push(...indented(`Advice: ${plainText(opinion.advice)}`));
  }
  return lines;
}

function opinionSentence({ detector, level, call, verdict }: ReportedOpinion): string {
  const answer = verdict ?? "no answer, the rules decide";
  return `Second opinion on ${detector} after call ${call + 1}, before ${level}: ${answer}`;
}

function spentAfterHalt(run: AnalyzedRun["run"], intervention: ReportedIntervention): string {
  const { calls, costUsd } = remainingSpend(run, intervention);
  const cost = costUsd === null ? "" : ` and ${dollars(costUsd)}`;
  return `Would have ended the run here. ${counted(calls, "call")}${cost} followed in the recording.`;
}

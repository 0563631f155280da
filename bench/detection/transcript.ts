import type { RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf } from "./data.ts";
import { flatten } from "./flat-run.ts";
import { type CallInspection, inspectCalls, signalsFor } from "./guardian.ts";
import type { Label } from "./labels.ts";
import { resultText, stable } from "./rules/keys.ts";

const maxArgs = 100;
const maxResult = 90;
const maxText = 120;

/** A run as text: each call on a line, with the guardian's view of it below. */
export function transcriptOf(run: RecordedRun, label?: Label): string {
  const flat = flatten(run);
  const inspections = inspectCalls(signalsFor(run));
  const outcome = run.outcome === undefined ? [] : [run.outcome];
  const head = [run.id, sourceOf(run), run.model ?? "unknown model", ...outcome, `${flat.calls.length} calls`];
  const lines = [`── ${head.join("  ")}`];
  if (label !== undefined) lines.push(`   ${labelLine(label)}`);
  if (run.task !== undefined) lines.push(`   task: ${brief(run.task, 2 * maxText)}`);
  let userTurn = 0;
  for (const { turn, calls, userTurn: stepUserTurn, text } of flat.steps) {
    if (stepUserTurn !== userTurn) lines.push(`   ${"·".padStart(4)} user message ${stepUserTurn}`);
    userTurn = stepUserTurn;
    if (calls.length === 0) lines.push(`   ${"·".padStart(4)} t${turn} says: ${brief(text, maxText)}`);
    for (const { index, tool, args, result, isError } of calls) {
      const mark = label?.verdict === "stuck" && index >= label.onset && index <= label.until ? "▌" : " ";
      const call = { index, turn, userTurn, tool, args, result, isError, text };
      const outcomeText = brief(resultText(call), maxResult);
      lines.push(
        `  ${mark}${String(index).padStart(4)} t${turn} ${tool} ${brief(stable(args), maxArgs)} → ${outcomeText}`,
        `          ${inspectionLine(inspections[index], isError)}`,
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

function labelLine(label: Label): string {
  if (label.verdict === "clean") return `clean: ${label.note}`;
  return `stuck ${label.onset}–${label.until} (${label.kind}): ${label.note}`;
}

/** Kind, failure, likeness and redundancy of a call, counts of detectors, and interventions. */
function inspectionLine(inspection: CallInspection | undefined, isError: boolean | null): string {
  if (inspection?.observation === undefined) return "not observed";
  const { kind, outcome, likeness, redundancy } = inspection.observation;
  const failed = outcome.failure === undefined ? [] : [isError === true ? "failed (flagged)" : "failed (by its text)"];
  const counts = [...inspection.counts].map(([detector, count]) => `${detector} ${count.toFixed(1)}`);
  const interventions = inspection.interventions.map((intervention) => `⇒ ${intervention}`);
  return [
    kind,
    ...failed,
    `likeness ${likeness.toFixed(2)}, redundancy ${redundancy.toFixed(2)}`,
    ...counts,
    ...interventions,
  ].join(" | ");
}

function brief(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

import type { RecordedRun } from "../../packages/records/dist/index.js";
import { sourceOf } from "./data.ts";
import { flatten } from "./flat-run.ts";
import { type Sighting, sightings, told } from "./guardian.ts";
import type { Label } from "./labels.ts";
import { resultText, stable } from "./rules/keys.ts";

const ARGS = 100;
const RESULT = 90;
const TEXT = 120;

/** A run for a person to read: each call on a line, with what the guardian saw in it. */
export function pictureOf(run: RecordedRun, label?: Label): string {
  const flat = flatten(run);
  const seen = sightings(told(run));
  const lines = [
    `── ${run.id}  ${sourceOf(run)}  ${run.model ?? "unknown model"}${run.outcome === undefined ? "" : `  ${run.outcome}`}  ${flat.calls.length} calls`,
  ];
  if (label !== undefined) lines.push(`   ${labelLine(label)}`);
  if (run.task !== undefined) lines.push(`   task: ${brief(run.task, 2 * TEXT)}`);
  let personTurn = 0;
  for (const { turn, calls, personTurn: spoken, text } of flat.steps) {
    if (spoken !== personTurn) lines.push(`   ${"·".padStart(4)} a person speaks (${spoken})`);
    personTurn = spoken;
    if (calls.length === 0) lines.push(`   ${"·".padStart(4)} t${turn} says: ${brief(text, TEXT)}`);
    for (const { index, tool, args, result, isError } of calls) {
      const mark = label?.verdict === "stuck" && index >= label.onset && index <= label.until ? "▌" : " ";
      const call = { index, turn, personTurn, tool, args, result, isError, text };
      lines.push(
        `  ${mark}${String(index).padStart(4)} t${turn} ${tool} ${brief(stable(args), ARGS)} → ${brief(resultText(call), RESULT)}`,
      );
      lines.push(`          ${sightingLine(seen[index], isError)}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

function labelLine(label: Label): string {
  if (label.verdict === "clean") return `clean: ${label.note}`;
  return `stuck ${label.onset}–${label.until} (${label.kind}): ${label.note}`;
}

/** What the guardian made of a call: its kind, whether it failed, how much of it was known before, what was found and what was said. */
function sightingLine(sighting: Sighting | undefined, isError: boolean | null): string {
  if (sighting?.observation === undefined) return "not observed";
  const { kind, outcome, likeness, redundancy } = sighting.observation;
  const failed = outcome.failure === undefined ? [] : [isError === true ? "failed (flagged)" : "failed (by its words)"];
  const found = [...sighting.counts].map(([detector, count]) => `${detector} ${count.toFixed(1)}`);
  const said = sighting.said.map((each) => `⇒ ${each}`);
  return [
    kind,
    ...failed,
    `likeness ${likeness.toFixed(2)}, redundancy ${redundancy.toFixed(2)}`,
    ...found,
    ...said,
  ].join(" | ");
}

function brief(text: string, length: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

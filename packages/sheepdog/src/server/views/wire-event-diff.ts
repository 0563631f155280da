import type { FileChange } from "@sheepdog/agent";
import type { WireDiffLine } from "@sheepdog/web/contract";
import { structuredPatch } from "diff";
import { visibleLines } from "../../render/terminal/visible-lines.ts";
import { pathOf, textField } from "../../sentences/call-text.ts";

/** A change of a file as lines. */
export interface WireDiff {
  readonly path: string;
  readonly lines: readonly WireDiffLine[];
}

/** How much is done for a diff. A larger change is shown as all old and all new lines: to compare them takes long. */
export interface DiffEffort {
  /** Added and removed lines. */
  readonly maxEdits: number;
  readonly maxMs: number;
  /** Characters of a change that is compared. */
  readonly maxChars: number;
}

/** For one call that a user looks at. */
const wholeEffort: DiffEffort = { maxEdits: 2_000, maxMs: 100, maxChars: 400_000 };

/** The change that a tool has recorded in the details of a call. */
export function recordedChange(details: unknown): FileChange | undefined {
  const change = fieldsOf(fieldsOf(details)["change"]);
  const { path, line, before, after } = change;
  if (typeof path !== "string" || typeof before !== "string" || typeof after !== "string") return undefined;
  return { path, line: typeof line === "number" && Number.isSafeInteger(line) ? line : 1, before, after };
}

/** The change that the arguments of a successful call describe, as far as they do. */
export function changeInInput(input: unknown): FileChange | undefined {
  const path = pathOf(input);
  const before = textField(input, ["old", "old_string"]);
  const after = textField(input, ["new", "new_string"]) ?? textField(input, ["content"]);
  if (path === undefined || after === undefined) return undefined;
  return { path, line: 1, before: before ?? "", after };
}

/** The lines of a change, with three unchanged lines around each part. Nothing in them is hidden or invisible. */
export function diffOf({ path, line, before, after }: FileChange, effort: DiffEffort = wholeEffort): WireDiff {
  if (before === after) return { path, lines: [] };
  if (before.length + after.length > effort.maxChars) return { path, lines: allLines({ path, line, before, after }) };
  const options = { context: 3, maxEditLength: effort.maxEdits, timeout: effort.maxMs };
  const patch = structuredPatch("", "", withEnd(before), withEnd(after), undefined, undefined, options);
  if (patch === undefined) return { path, lines: allLines({ path, line, before, after }) };
  const lines: WireDiffLine[] = [];
  for (const hunk of patch.hunks) {
    let [oldNumber, newNumber] = [hunk.oldStart + line - 1, hunk.newStart + line - 1];
    for (const each of hunk.lines) {
      const sign = each.slice(0, 1);
      const text = visibleLines(each.slice(1)).join("");
      if (sign === "-") lines.push({ sign, text, number: oldNumber++ });
      else if (sign === "+") lines.push({ sign, text, number: newNumber++ });
      else if (sign === " ") {
        lines.push({ sign, text, number: newNumber++ });
        oldNumber += 1;
      }
    }
  }
  return { path, lines };
}

function allLines({ line, before, after }: FileChange): readonly WireDiffLine[] {
  const signed = (sign: "-" | "+", text: string) =>
    text === ""
      ? []
      : visibleLines(text.replace(/\n$/, "")).map(
          (each, index): WireDiffLine => ({ sign, text: each, number: line + index }),
        );
  return [...signed("-", before), ...signed("+", after)];
}

function withEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

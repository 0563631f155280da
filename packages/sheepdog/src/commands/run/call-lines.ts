import type { RuntimeOptions } from "@sheepdog/agent";
import { diffText, paintOf } from "../../render/diff/diff-paint.ts";
import { proposedDiff } from "../../render/diff/proposed-diff.ts";
import { shortDiff } from "../../render/diff/short-diff.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { visibleLines } from "../../render/terminal/visible-lines.ts";
import { diffRows } from "../../render/timeline/diff-rows.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";

type Call = Parameters<NonNullable<RuntimeOptions["approve"]>>[0];

interface CallLayout {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  readonly workspace: string;
}

/** The user scrolls back in the terminal: what is approved is shown whole unless it is enormous. */
const MAX_LINES = 400;

/** What a call would do, for the user who approves it: the change to a file, or the arguments of any other call. */
export async function callLines(call: Call, { style, width, workspace }: CallLayout): Promise<readonly string[]> {
  const proposed = await proposedDiff(call, workspace);
  if (proposed === undefined) return inputLines(call.input, width);
  const title = visibleLines(`${call.input?.["path"]} (${proposed.state})`).join("\\n");
  const rows = shortDiff(
    proposed.lines.flatMap((line) => diffRows(line, width)),
    MAX_LINES,
  );
  return [...plainLines(title, width), ...rows.map((row) => paintOf(row, style)(diffText(row)))];
}

/** The arguments of a call with nothing hidden. If there are too many lines, the last one says so. */
function inputLines(input: unknown, width: number): readonly string[] {
  const entries = typeof input === "object" && input !== null ? Object.entries(input) : [["input", input] as const];
  const [only] = entries;
  const lines =
    only !== undefined && entries.length === 1
      ? visibleLines(valueText(only[1]))
      : entries.flatMap(([name, value]) => {
          const [first = "", ...rest] = visibleLines(valueText(value));
          return [`${plainText(name)}: ${first}`, ...rest.map((line) => `  ${line}`)];
        });
  const rows = lines.flatMap((line) => continuedRows(line, width));
  const hidden = rows.length - MAX_LINES;
  return hidden <= 0 ? rows : [...rows.slice(0, MAX_LINES), `not shown: ${counted(hidden, "more line")}`];
}

/** A line, wrapped. The rows after the first have a deeper indentation, so that they do not look like new lines. */
function continuedRows(line: string, width: number): readonly string[] {
  const rows = plainLines(line, width);
  if (rows.length === 1) return rows;
  const [first = "", ...rest] = plainLines(line, width - 2);
  return [first, ...rest.map((row) => `  ${row}`)];
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

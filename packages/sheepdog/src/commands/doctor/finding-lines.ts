import { counted } from "../../render/terminal/amounts.ts";
import type { Style } from "../../render/terminal/style.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import type { CheckResult } from "./run-checks.ts";

interface Look {
  readonly style: Style;
  readonly width: number;
}

const NAME = 15;
const MARK = 6;

/** A finding as lines: its mark, its name unless it is that of the one before, its sentence, and below what to do. In a narrow terminal the sentence stands below. */
export function findingLines(
  { status, name, sentence, fix }: CheckResult,
  before: CheckResult | undefined,
  { style, width }: Look,
): string {
  const mark = { ok: style.green("ok    "), warn: style.yellow("warn  "), fail: style.red("FAIL  ") }[status];
  const isNarrow = width < 60;
  const indent = " ".repeat(isNarrow ? MARK : MARK + NAME);
  const room = Math.max(20, width - indent.length);
  const advice =
    fix === undefined
      ? []
      : whole(fix, room - 2).map((line, place) => style.dim(`${place === 0 ? "> " : "  "}${line}`));
  const [first = "", ...rest] = [...whole(sentence, room), ...advice];
  const title = name === before?.name ? "" : name;
  const head =
    isNarrow && title !== "" ? `${style.bold(title)}\n${indent}` : style.bold(title.padEnd(isNarrow ? 0 : NAME));
  return [`${mark}${head}${first}`, ...rest.map((line) => indent + line)].map((line) => `${line}\n`).join("");
}

/** Paths and commands are to be copied: a word that is longer than the line is not cut. */
function whole(text: string, room: number): readonly string[] {
  return wrap(text, Math.max(room, ...text.split(/\s+/).map(widthOf)));
}

/** How it stands, in one line. */
export function verdictLine(found: readonly CheckResult[], { style }: Look): string {
  const [failed, warned] = (["fail", "warn"] as const).map(
    (status) => found.filter((each) => each.status === status).length,
  );
  const parts = [
    failed ? style.red(counted(failed, "problem")) : "",
    warned ? style.yellow(counted(warned, "warning")) : "",
  ].filter(Boolean);
  return `\n${parts.length === 0 ? style.green("All is well.") : `${parts.join(", ")}.`}\n`;
}

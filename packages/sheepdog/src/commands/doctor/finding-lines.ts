import type { CheckResult } from "../../doctor/run-checks.ts";
import type { Io } from "../../io.ts";
import { withProgramName } from "../../program-name.ts";
import { counted } from "../../render/terminal/amounts.ts";
import type { Style } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";

interface Format {
  readonly style: Style;
  readonly width: number;
  readonly env: Io["env"];
}

const NAME_COLUMNS = 15;
const MARK_COLUMNS = 6;

/**
 * A finding as lines: its mark, the name of the check (once per check), its sentence, and the fix below. In a narrow
 * terminal the sentence is below the name.
 */
export function findingLines(
  { status, name, sentence, fix }: CheckResult,
  previous: CheckResult | undefined,
  { style, width, env }: Format,
): string {
  const mark = { ok: style.green("ok    "), warn: style.yellow("warn  "), fail: style.red("FAIL  ") }[status];
  const isNarrow = width < 60;
  const indent = " ".repeat(isNarrow ? MARK_COLUMNS : MARK_COLUMNS + NAME_COLUMNS);
  const textWidth = Math.max(20, width - indent.length);
  const advice =
    fix === undefined
      ? []
      : wrap(withProgramName(fix, env), textWidth - 2).map((line, index) =>
          style.dim(`${index === 0 ? "> " : "  "}${line}`),
        );
  const [first = "", ...rest] = [...wrap(withProgramName(sentence, env), textWidth), ...advice];
  const title = name === previous?.name ? "" : name;
  const head =
    isNarrow && title !== ""
      ? `${style.bold(title)}\n${indent}`
      : style.bold(title.padEnd(isNarrow ? 0 : NAME_COLUMNS));
  return [`${mark}${head}${first}`, ...rest.map((line) => indent + line)].map((line) => `${line}\n`).join("");
}

/** The number of problems and warnings, in one line. */
export function summaryLine(results: readonly CheckResult[], { style }: Format): string {
  const [failed, warned] = (["fail", "warn"] as const).map(
    (status) => results.filter((result) => result.status === status).length,
  );
  const parts = [
    failed ? style.red(counted(failed, "problem")) : "",
    warned ? style.yellow(counted(warned, "warning")) : "",
  ].filter(Boolean);
  return `\n${parts.length === 0 ? style.green("Everything is in order.") : `${parts.join(", ")}.`}\n`;
}

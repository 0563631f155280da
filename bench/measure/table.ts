import type { Row } from "./row.ts";

/** Rows as the lines of a text table. */
export function tableOf(rows: readonly Row[]): readonly string[] {
  return aligned([["what", "to", "ratio", "middle half", "goal", ""], ...rows.map(cellsOf)], [2, 4]);
}

/** Lines of cells in aligned columns; the columns in `numbers` are aligned to the right. */
export function aligned(lines: readonly (readonly string[])[], numbers: readonly number[]): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd());
}

/** The rows that miss their goal. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => row.isMet === false);
}

/** How many goals were met, in one sentence. */
export function verdict(rows: readonly Row[]): string {
  const goals = rows.filter((row) => row.goal !== undefined).length;
  const missedGoals = missed(rows).length;
  return missedGoals === 0 ? `All ${goals} goals met.` : `${missedGoals} of ${goals} goals MISSED.`;
}

/** A rounded number with separators between thousands. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** A replacer for `JSON.stringify` that rounds every number as the tables do. */
export function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(digits(value)) : value;
}

function cellsOf(row: Row): string[] {
  if (row.ratio === null) return [row.what, row.to, "–", "", "", row.note ?? ""];
  const { median, low, high } = row.ratio;
  const goal = row.goal === undefined ? "" : `≤ ${Number.isInteger(row.goal) ? row.goal.toFixed(1) : digits(row.goal)}`;
  return [row.what, row.to, digits(median), `${digits(low)} … ${digits(high)}`, goal, resultOf(row)];
}

function resultOf({ isMet }: Row): string {
  if (isMet === undefined) return "";
  return isMet ? "met" : "MISSED";
}

/** Two decimals, or two significant digits for small values. */
function digits(value: number): string {
  return Math.abs(value) < 0.1 ? Number(value.toPrecision(2)).toString() : value.toFixed(2);
}

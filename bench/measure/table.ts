import type { Row } from "./row.ts";

/** Rows as lines of a table for people. */
export function tableOf(rows: readonly Row[]): readonly string[] {
  return aligned([["what", "to", "ratio", "middle half", "goal", ""], ...rows.map(cellsOf)], [2, 4]);
}

/** Lines of cells, the columns under one another; those in `numbers` are set to the right. */
export function aligned(cells: readonly (readonly string[])[], numbers: readonly number[]): readonly string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  return cells.map((line) =>
    line
      .map((cell, column) =>
        numbers.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** The rows that cost more than they may. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => row.isMet === false);
}

/** How many goals were met, in one line. */
export function verdict(rows: readonly Row[]): string {
  const goals = rows.filter((row) => row.goal !== undefined).length;
  const over = missed(rows).length;
  return over === 0 ? `All ${goals} goals met.` : `${over} of ${goals} goals MISSED.`;
}

/** A whole number with its thousands apart. */
export function thousands(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** For `JSON.stringify`: two digits behind the point are more than a ratio deserves, unless nothing would be left of it. */
export function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(digits(value)) : value;
}

function cellsOf(row: Row): string[] {
  if (row.ratio === null) return [row.what, row.to, "–", "", "", row.note ?? ""];
  const { median, low, high } = row.ratio;
  const goal = row.goal === undefined ? "" : `≤ ${Number.isInteger(row.goal) ? row.goal.toFixed(1) : row.goal}`;
  return [
    row.what,
    row.to,
    digits(median),
    `${digits(low)} … ${digits(high)}`,
    goal,
    row.isMet === undefined ? "" : row.isMet ? "met" : "MISSED",
  ];
}

function digits(value: number): string {
  return Math.abs(value) < 0.1 ? Number(value.toPrecision(2)).toString() : value.toFixed(2);
}

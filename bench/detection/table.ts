/** Lines of cells in aligned columns: the first column to the left, the others to the right. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

/** A number with this many digits; a dash for null. */
export function figure(value: number | null, digits = 2): string {
  return value === null ? "–" : value.toFixed(digits);
}

/** A difference with its sign; a dash for null. */
export function signed(value: number | null): string {
  return value === null ? "–" : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
}

/** A share of 0 to 1 in percent; a dash for null. */
export function percent(share: number | null): string {
  return share === null ? "–" : `${(100 * share).toFixed(1)} %`;
}

/** Lines of cells as aligned columns: the first to the left, the others to the right. */
export function table(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A share or a number with so many digits; a dash where there is none. */
export function figure(value: number | null, digits = 2): string {
  return value === null ? "–" : value.toFixed(digits);
}

/** A difference with its sign. */
export function signed(value: number | null): string {
  return value === null ? "–" : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(3)}`;
}

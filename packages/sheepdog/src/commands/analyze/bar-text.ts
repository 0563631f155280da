const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of a table: `share` of `columns`. What is more than nothing is visible. */
export function barText(share: number, columns: number, canDraw: boolean): string {
  if (!(share > 0)) return "";
  const steps = Math.max(1, Math.round(Math.min(1, share) * columns * 8));
  if (!canDraw) return "#".repeat(Math.max(1, Math.round(steps / 8)));
  return "█".repeat(Math.floor(steps / 8)) + eighths[steps % 8];
}

const heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** Amounts as columns beside each other: nothing is a space. */
export function columnsText(amounts: readonly number[]): string {
  const most = Math.max(...amounts, 0);
  return amounts.map((amount) => (amount > 0 ? heights[Math.min(7, Math.floor((8 * amount) / most))] : " ")).join("");
}

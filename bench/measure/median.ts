/** The median of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share (0 to 1) of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("Expected at least one value to take a quantile of.");
  const sorted = [...values].sort((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const low = sorted[Math.floor(position)] as number; // in bounds: 0 ≤ position ≤ length - 1
  const high = sorted[Math.ceil(position)] as number; // as above
  return low + (high - low) * (position - Math.floor(position));
}

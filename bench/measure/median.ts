/** The middle of the values: half lie below. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which a share of the values lies, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("Expected at least one value to take a quantile of.");
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)] as number; // in bounds: 0 ≤ at ≤ length - 1
  const high = sorted[Math.ceil(at)] as number; // as above
  return low + (high - low) * (at - Math.floor(at));
}

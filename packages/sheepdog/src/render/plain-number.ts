/** A number without an exponent: flags and configuration values do not accept one. */
export function plainNumber(amount: number): string {
  return amount.toFixed(9).replace(/\.?0+$/, "");
}

/** Dollars in cents, without the error of binary fractions: 0.29 dollars are 29 cents. */
export function usdToCents(usd: number): number {
  return Number((usd * 100).toFixed(7));
}

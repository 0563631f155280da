/** Dollars as sentences have them: `$37.79`, `$0.004`. */
export function usdText(usd: number): string {
  const digits = usd === 0 || usd >= 0.01 ? 2 : usd >= 0.001 ? 3 : 4;
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** Nano-dollars as sentences have them. */
export function nanoUsdText(nanoUsd: number): string {
  return usdText(nanoUsd / 1e9);
}

/** Dollars from nano-dollars; null if the price is unknown or the number is not one. */
export function toUsd(nanoUsd: number | null | undefined): number | null {
  return typeof nanoUsd === "number" && Number.isFinite(nanoUsd) ? nanoUsd / 1e9 : null;
}

/** `once`, `twice`, `3 times`. */
export function timesText(count: number): string {
  if (count === 1) return "once";
  return count === 2 ? "twice" : `${count.toLocaleString("en-US")} times`;
}

const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Formats a number of bytes: `812 bytes`, `1.2 MB`, `20 GB`. */
export function sizeText(bytes: number): string {
  let [amount, unit] = [bytes, 0];
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1_000;
    unit += 1;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

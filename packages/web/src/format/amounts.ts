/** Dollars as people read them: "$0.004", "$0.41", "$38.20", "$1,204"; an unknown price is "unknown". */
export function usd(amount: number | null): string {
  if (amount === null) return "unknown";
  if (amount === 0) return "$0.00";
  const size = Math.abs(amount);
  if (size < 0.0005) return `${amount < 0 ? "−" : ""}<$0.001`;
  const digits = size < 0.0995 ? 3 : size < 1_000 ? 2 : 0;
  const text = size.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${amount < 0 ? "−" : ""}$${text}`;
}

/** A number with a unit that fits its size: "840", "12.4 k", "2.1 M". */
export function shortNumber(value: number): string {
  if (value < 10_000) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  if (value < 1e6) return `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)} k`;
  return `${(value / 1e6).toFixed(1)} M`;
}

/** "1 call", "3 calls". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : plural}`;
}

/** A share as a whole percentage: "63 %". */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

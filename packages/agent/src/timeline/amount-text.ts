import type { LimitName } from "@sheepdog/guardian";

/** Formats dollars; small amounts get more digits. */
export function dollars(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 0.001) return "<$0.001";
  const digits = usd < 1 ? 3 : 2;
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** A number with its noun: `1 call`, `1,200 calls`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** An amount of a limit as users write it: `80%`, `$1.5`, `600s`, `25`. */
export function limitAmount(limit: LimitName, amount: number): string {
  switch (limit) {
    case "context":
      return `${amount}%`;
    case "time":
      return `${amount / 1_000}s`;
    case "run-tokens":
    case "turns":
      return String(amount);
    default:
      return `$${amount / 1_000_000_000}`;
  }
}

import { limitAmount } from "@sheepdog/agent/timeline";
import type { LimitName } from "@sheepdog/guardian";

/** Converts between an amount as users write it and as a policy stores it. */
export interface Unit {
  /** The accepted forms, to follow "it must be". */
  readonly expected: string;
  /** The amount as a policy stores it; undefined for a wrong value. */
  read(value: unknown): number | undefined;
  /** The amount as users write it. */
  show(amount: number): string;
}

/** A number of turns or tokens. */
export const count: Unit = { expected: "a whole number above 0", read: wholeNumber, show: String };

/** A number that may also be zero. */
export const allowance: Unit = {
  expected: "a whole number of at least 0",
  read: (value) => (value === 0 ? 0 : wholeNumber(value)),
  show: String,
};

const nanoUsdPerUnit: Readonly<Record<string, number>> = { $: 1_000_000_000 };

/** Stored in nano-dollars. */
const money: Unit = {
  expected: `dollars such as "$1.50" (in a shell: '$1.50') or a whole number of nano-dollars above 0`,
  read: (value) =>
    wholeNumber(value) ?? wholeNumber(scaled(value, /^(?<unit>\$)(?<number>\d+(?:\.\d+)?)$/, nanoUsdPerUnit)),
  show: (amount) => limitAmount("run-cost", amount),
};

const msPerUnit: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Stored in milliseconds. */
const time: Unit = {
  expected: 'a time such as "90s", "10m", "2h" or a whole number of milliseconds above 0',
  read: (value) =>
    wholeNumber(value) ?? wholeNumber(scaled(value, /^(?<number>\d+(?:\.\d+)?) ?(?<unit>ms|s|m|h)$/, msPerUnit)),
  show: (amount) => limitAmount("time", amount),
};

/** The longest time without any output, in milliseconds; 0 is off. */
export const silence: Pick<Unit, "read" | "expected"> = {
  expected: 'a time such as "90s", "10m", "2h" or a whole number of milliseconds, 0 for off',
  read: (value) => (value === 0 ? 0 : time.read(value)),
};

/** Stored in percent. */
const percent: Unit = {
  expected: 'a percentage above 0 and up to 100, such as 80 or "80%"',
  read(value) {
    const share = typeof value === "string" && value.endsWith("%") ? Number(value.slice(0, -1)) : value;
    return typeof share === "number" && share > 0 && share <= 100 ? share : undefined;
  },
  show: (share) => limitAmount("context", share),
};

/** The unit of each limit. */
export const limitUnits: Readonly<Record<LimitName, Unit>> = {
  context: percent,
  "run-tokens": count,
  "run-cost": money,
  "session-cost": money,
  "day-cost": money,
  "month-cost": money,
  turns: count,
  time,
};

function wholeNumber(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

/** Reads a number with a unit, and converts it with the factor of the unit. */
function scaled(value: unknown, form: RegExp, factors: Readonly<Record<string, number>>): number | undefined {
  const parts = typeof value === "string" ? form.exec(value)?.groups : undefined;
  return parts === undefined ? undefined : Math.round(Number(parts["number"]) * (factors[parts["unit"] ?? ""] ?? 1));
}

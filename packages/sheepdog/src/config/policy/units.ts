import type { LimitName } from "@sheepdog/guardian";

/** How people write an amount, and how a policy keeps it. */
export interface Unit {
  /** What would be right, to end the sentence "it must be …". */
  readonly what: string;
  /** The amount as a policy keeps it; undefined where the value is none. */
  read(value: unknown): number | undefined;
  /** The amount as people write it. */
  show(amount: number): string;
}

export const count: Unit = { what: "a whole number above 0", read: whole, show: String };

/** How many may be: none as well. */
export const allowance: Unit = {
  what: "a whole number from 0 up",
  read: (value) => (value === 0 ? 0 : whole(value)),
  show: String,
};

const nanoUsd: Readonly<Record<string, number>> = { $: 1_000_000_000 };

/** Kept in nano-dollars. */
const money: Unit = {
  what: `dollars as in "$1.50" (in a shell: '$1.50') or a whole number of nano-dollars above 0`,
  read: (value) => whole(value) ?? whole(scaled(value, /^(?<unit>\$)(?<number>\d+(?:\.\d+)?)$/, nanoUsd)),
  show: (amount) => `$${amount / 1_000_000_000}`,
};

const ms: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Kept in milliseconds. */
const time: Unit = {
  what: 'a time as in "90s", "10m", "2h" or a whole number of milliseconds above 0',
  read: (value) => whole(value) ?? whole(scaled(value, /^(?<number>\d+(?:\.\d+)?) ?(?<unit>ms|s|m|h)$/, ms)),
  show: (amount) => `${amount / 1_000}s`,
};

/** How long nothing may be heard, kept in milliseconds: 0 is off. */
export const silence: Pick<Unit, "read" | "what"> = {
  what: 'a time as in "90s", "10m", "2h" or a whole number of milliseconds from 0 (off) up',
  read: (value) => (value === 0 ? 0 : time.read(value)),
};

/** Kept in percent. */
const percent: Unit = {
  what: 'a percentage above 0 and up to 100, as in 80 or "80%"',
  read(value) {
    const share = typeof value === "string" && value.endsWith("%") ? Number(value.slice(0, -1)) : value;
    return typeof share === "number" && share > 0 && share <= 100 ? share : undefined;
  },
  show: (share) => `${share}%`,
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

function whole(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

/** What a text of this form says, its number times what its unit is worth. */
function scaled(value: unknown, form: RegExp, worth: Readonly<Record<string, number>>): number | undefined {
  const parts = typeof value === "string" ? form.exec(value)?.groups : undefined;
  return parts === undefined ? undefined : Math.round(Number(parts["number"]) * (worth[parts["unit"] ?? ""] ?? 1));
}

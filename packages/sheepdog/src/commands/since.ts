const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Reads an age such as `90m`, `12h`, `7d` or `2w`, in milliseconds; undefined if the text is not one. */
export function readAge(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d{1,9}(?:\.\d{1,9})?) ?(?<unit>[mhdw])$/.exec(text.trim())?.groups ?? {};
  return number === undefined ? undefined : Number(number) * (unitMs[unit ?? ""] ?? 0);
}

/** Reads the value of `--since`: an age, or a day in local time. Undefined if the text is neither. */
export function readSince(text: string, now: number): number | undefined {
  const age = readAge(text);
  if (age !== undefined) return now - age;
  const { year, month, day } = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/.exec(text.trim())?.groups ?? {};
  if (year === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date.getTime() : undefined;
}

/** The accepted forms, to follow "it must be". */
export const sinceForm = "an age such as 90m, 12h, 7d or 2w, or a day such as 2026-01-31";

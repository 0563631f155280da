const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** How far back a time lies, as in `90m`, `12h`, `7d`, `2w`; undefined where the text is none. */
export function readAge(text: string): number | undefined {
  const { number, unit } = /^(?<number>\d{1,9}(?:\.\d{1,9})?) ?(?<unit>[mhdw])$/.exec(text.trim())?.groups ?? {};
  return number === undefined ? undefined : Number(number) * (units[unit ?? ""] ?? 0);
}

/** What `--since` means: so long ago, or a day of the calendar here; undefined where the text is neither. */
export function readSince(text: string, now: number): number | undefined {
  const age = readAge(text);
  if (age !== undefined) return now - age;
  const { year, month, day } = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)$/.exec(text.trim())?.groups ?? {};
  if (year === undefined) return undefined;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return date.getMonth() === Number(month) - 1 ? date.getTime() : undefined;
}

/** What would be right, to end the sentence "it must be …". */
export const sinceForm = "so long ago as in 90m, 12h, 7d or 2w, or a day as in 2026-01-31";

/** The day of a time, in UTC: `2026-03-01`. */
export function dayOf(at: number): string {
  return namesOf(at).dayName;
}

/** The month of a time, in UTC: `2026-03`. */
export function monthOf(at: number): string {
  return namesOf(at).monthName;
}

function namesOf(at: number): { readonly dayName: string; readonly monthName: string } {
  const day = Math.floor(at / dayMs);
  if (day !== last.day) last = { day, dayName: nameOf(at), monthName: nameOf(at).slice(0, -3) };
  return last;
}

const dayMs = 86_400_000;
/** Mostly the same day is asked for again. */
let last = { day: Number.NaN, dayName: "", monthName: "" };

function nameOf(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new Error(`Expected a time in milliseconds since 1970, got ${at}.`);
  return date.toISOString().slice(0, -14); // years beyond 9999 have more digits
}

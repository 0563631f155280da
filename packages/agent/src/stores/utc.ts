/** The day of a time, in UTC: `2026-03-01`. */
export function dayOf(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) throw new Error(`Expected a time in milliseconds since 1970, got ${at}.`);
  return date.toISOString().slice(0, -"T00:00:00.000Z".length); // years beyond 9999 have more digits
}

/** The month of a time, in UTC: `2026-03`. */
export function monthOf(at: number): string {
  return dayOf(at).slice(0, -"-01".length);
}

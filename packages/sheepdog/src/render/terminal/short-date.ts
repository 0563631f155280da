/** A time for a table: of today by the clock, else the day, with its year where that is another. */
export function shortDate(at: number, now: number): string {
  const [then, today] = [new Date(at), new Date(now)];
  if (then.toDateString() === today.toDateString())
    return then.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (then.getFullYear() === today.getFullYear())
    return then.toLocaleDateString("en-US", { month: "short", day: "numeric" });
  return then.toLocaleDateString("sv-SE");
}

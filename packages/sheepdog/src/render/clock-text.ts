/** The time of day on this machine: `06:40`. */
export function clockText(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, "0")).join(":");
}

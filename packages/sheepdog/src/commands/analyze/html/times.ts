const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const clocks = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** `3 Nov 2026`, in the time of this machine. */
export function dayText(at: number): string {
  return days.format(at);
}

/** `3 Nov 2026, 10:04`, in the time of this machine. */
export function momentText(at: number): string {
  return `${days.format(at)}, ${clocks.format(at)}`;
}

/** `10:04`, in the time of this machine. */
export function timeText(at: number): string {
  return clocks.format(at);
}

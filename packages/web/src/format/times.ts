/** Stands for a time that no calendar has: a page never fails because of it. */
const unknown = "–";
/** The largest number of milliseconds that is a date. */
const maxTime = 8.64e15;

function isDate(at: number): boolean {
  return Math.abs(at) <= maxTime;
}

/** Local time: "06:40", with seconds "06:40:32". */
export function clock(at: number, hasSeconds = false): string {
  if (!isDate(at)) return unknown;
  const time = new Date(at);
  const parts = [time.getHours(), time.getMinutes(), ...(hasSeconds ? [time.getSeconds()] : [])];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

const shortDates = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const longDates = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });

/** A local date: "Wed 11 Nov". */
export function shortDate(at: number): string {
  return isDate(at) ? shortDates.format(at).replace(",", "") : unknown;
}

/** A time span: "340 ms", "12 s", "4 min", "5 h 54 min", "3 d 2 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return unknown;
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return `${Math.floor(hours / 24)} d${hours % 24 === 0 ? "" : ` ${hours % 24} h`}`;
}

/** The time of something that runs, in steps that can be seen: "42 s", "4 min 07 s", "1 h 12 min". */
export function runningTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60 || seconds >= 3_600) return duration(seconds * 1_000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

const SHORT_MS = 10 * 60_000;

/** Whether the clock of something this short needs seconds. */
export function needsSeconds(ms: number): boolean {
  return ms < SHORT_MS;
}

/** The local midnight before a time. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** A local date in words: "Wednesday 11 November". */
export function longDate(at: number): string {
  return isDate(at) ? longDates.format(at).replace(",", "") : unknown;
}

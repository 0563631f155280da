import { clock } from "../../../format/times.ts";

/** The year 2000. Recordings without times have numbers in their order instead. */
const FIRST_TIME = 946_684_800_000;

/** The local time of an event; null if the run has no times. */
export function timeText(at: number, hasSeconds = false): string | null {
  return at < FIRST_TIME ? null : clock(at, hasSeconds);
}

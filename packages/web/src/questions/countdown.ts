import type { Waiting } from "../contract/index.ts";
import { clock } from "../format/times.ts";

/** How long the user can still answer: "4:12 left to answer", "1 h 05 min left to answer", "waiting since 08:50". */
export function countdown({ answerBy, since }: Pick<Waiting, "answerBy" | "since">, now: number): string {
  if (answerBy === null) return `waiting since ${clock(since)}`;
  const seconds = Math.max(0, Math.ceil((answerBy - now) / 1_000));
  if (seconds === 0) return "the time to answer is over";
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)} left to answer`;
  return `${Math.floor(seconds / 3_600)} h ${twoDigits(Math.floor((seconds % 3_600) / 60))} min left to answer`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

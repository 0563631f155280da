/** Formats a duration: `0.3 s`, `12 s`, `2 min 5 s`, `10 min`, `1 h 10 min`. */
export function duration(ms: number): string {
  const seconds = ms / 1_000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : wholeDuration(Math.round(seconds));
}

/** Formats a number of whole seconds, for a clock that runs: `3 s`, `2 min 5 s`. */
export function wholeDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? withRest(`${minutes} min`, seconds % 60, "s")
    : withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, "min");
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text} ${rest} ${unit}`;
}

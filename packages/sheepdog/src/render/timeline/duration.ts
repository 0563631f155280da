/** A time as people say it: `0.3 s`, `12 s`, `2 m 5 s`, `1 h 10 m`. */
export function duration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} m ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** Formats a duration: `0.3 s`, `12 s`, `2 m 5 s`, `1 h 10 m`. */
export function duration(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const rounded = Math.round(seconds);
  if (rounded < 60) return `${rounded} s`;
  const minutes = Math.floor(rounded / 60);
  return minutes < 60 ? `${minutes} m ${rounded % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

const esc = String.fromCharCode(27);

/** Removes the durations of calls, which differ each time. */
export function withoutDurations(line) {
  return line.replace(new RegExp(`([✓✗]) (?:\\d+ [hm] )*[\\d.]+ [sm](?=${esc})`), "$1");
}

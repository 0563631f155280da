/** A number that looks random and is the same in each run. */
export function scramble(seed: number): number {
  const first = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  const second = Math.imul(first ^ (first >>> 15), 2_246_822_519) >>> 0;
  return (second ^ (second >>> 13)) >>> 0;
}

/** A hexadecimal id of the given length. */
export function hexId(seed: number, length = 8): string {
  let id = "";
  for (let part = 0; id.length < length; part += 1)
    id += scramble(seed * 31 + part)
      .toString(16)
      .padStart(8, "0");
  return id.slice(0, length);
}

export function uuid(seed: number): string {
  const hex = hexId(seed, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20)].join("-");
}

/** A time of the day of the story, as ISO 8601. */
export function at(step: number, stepSeconds = 37): string {
  return new Date(Date.UTC(2026, 4, 4, 8, 0, 0) + step * stepSeconds * 1000).toISOString();
}

/** An element of the list; it starts over behind the last one. */
export function pick<T>(list: readonly [T, ...T[]], index: number): T {
  return list[index % list.length] ?? list[0];
}

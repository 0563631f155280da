/** The name most like the one that was asked for: spelling first, hyphens and case aside; none if nothing is near. */
export function closestName(asked: string, names: readonly string[]): string | undefined {
  const wanted = plain(asked);
  let best: string | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const away = Math.min(distance(wanted, plain(name), least), distance(sorted(asked), sorted(name), least));
    if (away < least) {
      least = away;
      best = name;
    }
  }
  return best;
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z\d]/g, "")
    .slice(0, 64);
}

/** The words of a name in order of the alphabet: `search_web` is `web_search`. */
function sorted(name: string): string {
  return plain(
    name
      .replace(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .sort()
      .join(""),
  );
}

/** Edits from one word to the other (Levenshtein); gives up at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}

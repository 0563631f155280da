import { nameWords } from "../perceive/name-words.ts";

/** The name most like the one that was asked for, hyphens, case and the order of words aside; none if nothing is near. */
export function closestName(asked: string, names: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, plain(asked).length / 3) + 1;
  for (const name of names) {
    const away = Math.min(distance(plain(asked), plain(name)), distance(sorted(asked), sorted(name)));
    if (away >= least) continue;
    least = away;
    best = name;
  }
  return best;
}

function words(name: string): string[] {
  return nameWords(name.slice(0, 64));
}

function plain(name: string): string {
  return words(name).join("");
}

/** `search_web` is `web_search`. */
function sorted(name: string): string {
  return words(name).sort().join("");
}

/** Edits from one word to the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from(b, (_, i) => i + 1);
  for (let i = 0; i < a.length; i++) {
    let corner = i;
    let left = i + 1;
    row = row.map((above, j) => {
      left = Math.min(above + 1, left + 1, corner + (a[i] === b[j] ? 0 : 1));
      corner = above;
      return left;
    });
  }
  return row.at(-1) ?? a.length;
}

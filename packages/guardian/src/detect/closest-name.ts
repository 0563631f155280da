import { nameWords } from "../perceive/name-words.ts";

/**
 * The name most similar to the wanted one, ignoring hyphens, case and the order of words; undefined if none is near.
 */
export function closestName(wanted: string, names: readonly string[]): string | undefined {
  let closest: string | undefined;
  let minDistance = Math.max(2, joined(wanted).length / 3) + 1;
  for (const name of names) {
    const distance = Math.min(
      editDistance(joined(wanted), joined(name)),
      editDistance(joinedInOrder(wanted), joinedInOrder(name)),
    );
    if (distance >= minDistance) continue;
    minDistance = distance;
    closest = name;
  }
  return closest;
}

function words(name: string): string[] {
  return nameWords(name.slice(0, 64));
}

function joined(name: string): string {
  return words(name).join("");
}

/** Sorted words, so that `search_web` equals `web_search`. */
function joinedInOrder(name: string): string {
  return words(name).sort().join("");
}

/** Edits from one word to the other (Levenshtein). */
function editDistance(a: string, b: string): number {
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

/** A word that announces a secret, at the end of a text: `password: `, `Authorization: Bearer `. */
const secretOpener = new RegExp(
  "(?:password|passwd|pwd|secret|token|api|key|authorization|credential|bearer|basic)" +
    "[^\\s]{0,40}\\s*(?:[:=]\\s*)?[\"']?(?:(?:bearer|basic|token)\\s*)?$",
  "i",
);
const OPENER_LENGTH = 96;
const MAX_HELD = 2_048;
const MAX_TRIES = 16;

/**
 * The length of the part of a streamed text that can be published now. A secret that arrives in two deltas is
 * recognised only when it is complete, so the last word, and the word that announces it, are held back until the next
 * space.
 * Text without a space is held back up to 2,048 characters, then published up to its last comma or bracket.
 */
export function publishableLength(text: string): number {
  const endAtSpace = lastSafeEnd(text, " \n\t\r");
  if (endAtSpace > 0 || text.length <= MAX_HELD) return endAtSpace;
  return lastSafeEnd(text, ",;{}[]()<>|") || text.length;
}

/** The index behind the last of these separators that does not follow the announcement of a secret; 0 if none. */
function lastSafeEnd(text: string, separators: string): number {
  let end = text.length;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    end = endOfLast(separators, text, end);
    if (end <= 0) return 0;
    if (!secretOpener.test(text.slice(Math.max(0, end - OPENER_LENGTH), end))) return end;
    end -= 1;
  }
  return 0;
}

function endOfLast(separators: string, text: string, end: number): number {
  for (let index = end - 1; index >= 0; index -= 1) if (separators.includes(text.charAt(index))) return index + 1;
  return 0;
}

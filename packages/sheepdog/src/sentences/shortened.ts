/** A text of at most `max` characters, cut at the end of a word. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > max / 2 ? head.slice(0, space) : withoutHalfCharacter(head);
  return `${cut.replace(/[\s,;:.(–-]+$/u, "")}…`;
}

/** A surrogate pair is not cut in two. */
function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** A text of at most `max` characters, cut at the end of a word. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const space = head.lastIndexOf(" ");
  const cut = space > max / 2 ? head.slice(0, space) : wholeCharacters(head);
  return `${cut.replace(/[\s,;:.(–-]+$/u, "")}…`;
}

/** A text that was cut, without the half of a surrogate pair at either end. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** Text that comes from outside, marked as data with where it is from. It can close neither the mark nor forge a notice of ours. */
export function markAsData(source: string, text: string): string {
  return `<data source="${escapeTags(source).replaceAll('"', "&quot;").replaceAll(/\s+/g, " ")}">\n${escapeTags(text)}\n</data>`;
}

/** Takes the effect from tags that mean something here, wherever a text from outside holds them. */
export function escapeTags(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*(?:data|identity|narrative|focus|summary|sheepdog-[a-z-]+)\b)/gi, "&lt;");
}

/** Marks external text as data and names its source. The text can neither close the tag nor forge a notice. */
export function markAsData(source: string, text: string): string {
  const name = escapeTags(source).replaceAll('"', "&quot;").replaceAll(/\s+/g, " ");
  return `<data source="${name}">\n${escapeTags(text)}\n</data>`;
}

/** Escapes tags that have a meaning in our prompts, so that external text cannot use them. */
export function escapeTags(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*(?:data|identity|narrative|focus|summary|sheepdog-[a-z-]+)\b)/gi, "&lt;");
}

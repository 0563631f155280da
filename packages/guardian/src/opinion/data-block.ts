/**
 * The part of a question that a model reads as data: one JSON object a line, with `<` escaped, so that no text in it
 * can end the data or pretend to be part of the question.
 */
export function dataBlock(values: readonly object[]): string {
  const lines = values.map((value) => JSON.stringify(value).replaceAll("<", "\\u003c"));
  return `<data>\n${lines.join("\n")}\n</data>`;
}

/** Keeps the beginning and the end of a long text. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 4);
  return `${text.slice(0, max - tail)} … ${text.slice(-tail)}`;
}

/**
 * The text of others in a result, as a user reads it: without the sentence and the tag that mark it as data for the
 * model. The runtime writes them; its package is not loaded for this.
 */
export function withoutOutsideTag(content: string): string {
  return content.replace(/^The text between the data tags[^\n]*\n<data source="[^"]*">\n([\s\S]*)\n<\/data>/, "$1");
}

/** The text with each half of a character that has lost its other half (a lone surrogate) replaced visibly: it cannot be sent or stored as UTF-8. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

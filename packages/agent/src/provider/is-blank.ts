const visible = /\S/;

/** Whether a text has nothing in it that can be seen. Nearly every text shows that at its first character. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !((first > 0x20 && first < 0x7f) || visible.test(text));
}

const visible = /\S/;

/** Whether a text has nothing in it that can be seen. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

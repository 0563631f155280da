/** Characters that JSON leaves as they are and that a terminal may obey, or that turn the direction of writing around. */
const unsafe = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A value as JSON that is safe to print: whoever parses it reads the same. On one line where the indentation is 0. */
export function jsonText(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** True if more text could make it longer. */
  readonly isOpen?: boolean;
  /** True for data that looks like a secret and is none, such as a checksum. */
  readonly isPublic?: boolean;
}

/** ASCII letters, digits and "_". */
export function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

/** The character code at an index; 0 outside of the text, which is faster than NaN. */
export function codeAt(text: string, index: number): number {
  return index >= 0 && index < text.length ? text.charCodeAt(index) : 0;
}

/** The length of a match of a sticky pattern at an index; 0 if there is none. */
export function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex - at : 0;
}

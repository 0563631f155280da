/** Whether a text can be the id of a session or a run: it is part of file names, and of commands people copy. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text);
}

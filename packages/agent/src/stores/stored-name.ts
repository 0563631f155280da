/**
 * Throws when a name cannot be stored unchanged: a database would cut it at a NUL, and could not tell one unpaired
 * surrogate from another.
 */
export function checkStoredName(what: string, name: string): void {
  if (!name.includes("\0") && name.isWellFormed()) return;
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  throw new Error(`Expected the ${what} to be well-formed text without NUL, got ${shown}.`);
}

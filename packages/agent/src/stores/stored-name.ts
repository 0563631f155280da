/** Throws where a name cannot be kept as it is: a database would end it at a NUL, and could not tell half of a surrogate pair from another. */
export function checkStoredName(what: string, name: string): void {
  if (!name.includes("\0") && name.isWellFormed()) return;
  const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name);
  throw new Error(`Expected the ${what} to be well-formed text without NUL, got ${shown}.`);
}

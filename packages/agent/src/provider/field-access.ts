/**
 * Reads a field of any value. Returns undefined if there is no such field or if its getter throws: the shape of what
 * providers and errors contain is not trusted.
 */
export function getField(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[name]; // any object may have any field
  } catch {
    return undefined; // the getter threw
  }
}

/** Reads a field that should be a string; anything else is an empty string. */
export function getText(value: unknown, name: string): string {
  const field = getField(value, name);
  return typeof field === "string" ? field : "";
}

/** Returns an object as a record of unknown fields; everything else becomes an empty record. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Any object has string keys.
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

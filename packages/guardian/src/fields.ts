/** The fields of anything; none where it has none. */
export function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}; // any object may be asked for any field
}

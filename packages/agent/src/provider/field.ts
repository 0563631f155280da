/** A field of anything: undefined where there is no such thing, also where asking for it throws. What providers and errors hold is not to be trusted. */
export function field(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[name]; // whatever it is, it may have fields
  } catch {
    return undefined; // a getter that throws has nothing to tell
  }
}

/** The field where it is a string, else an empty one. */
export function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

/** Whether it is an object with keys, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

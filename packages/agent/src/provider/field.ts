/** A field of anything: undefined where there is no such thing, also where asking for it throws. What providers and errors hold is not to be trusted. */
export function field(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[name]; // whatever it is, it may have fields
  } catch {
    return undefined; // a getter that throws has nothing to tell
  }
}

/** The type of a part of a stream. A function of its own, as V8 is quicker where only one name is asked for. */
export function typeOf(part: unknown): unknown {
  try {
    return (part as { readonly type?: unknown } | null | undefined)?.type; // whatever it is, it may have one
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

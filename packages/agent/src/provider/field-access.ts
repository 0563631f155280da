/** A field of anything: undefined where there is no such thing, also where asking for it throws. What providers and errors hold is not to be trusted. */
export function field(value: unknown, name: string): unknown {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[name]; // whatever it is, it may have fields
  } catch {
    return undefined; // a getter that throws has nothing to tell
  }
}

/** What any part of a stream may have. The functions below read one field each, as V8 is quicker where only one name is asked for. */
type AnyPart =
  | { readonly type?: unknown; readonly id?: unknown; readonly delta?: unknown; readonly providerMetadata?: unknown }
  | null
  | undefined;

/** The type of a part of a stream. */
export function typeOf(part: unknown): unknown {
  try {
    return (part as AnyPart)?.type; // whatever it is, it may have one
  } catch {
    return undefined; // a getter that throws has nothing to tell
  }
}

/** The block that a part of a stream belongs to. */
export function idOf(part: unknown): unknown {
  try {
    return (part as AnyPart)?.id;
  } catch {
    return undefined;
  }
}

/** What a part of a stream adds to its block. */
export function deltaOf(part: unknown): unknown {
  try {
    return (part as AnyPart)?.delta;
  } catch {
    return undefined;
  }
}

/** What a provider attaches to a part of a stream. */
export function metadataOf(part: unknown): unknown {
  try {
    return (part as AnyPart)?.providerMetadata;
  } catch {
    return undefined;
  }
}

/** The field where it is a string, else an empty one. */
export function textField(value: unknown, name: string): string {
  return textOr(field(value, name));
}

/** A string as it is, anything else as an empty one. */
export function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether it is an object with keys, not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

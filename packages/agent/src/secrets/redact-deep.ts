/** Replaces the secrets of a text. */
export type Mask = (text: string) => string;

const secretNames =
  /pass(?:word|wd|phrase)?$|secret|token$|api[_-]?key|authorization|credential|private[_-]?key|cookie/i;
const maxDepth = 64;
const maxValues = 100_000;

/**
 * A frozen copy with every text masked, and those under names like `password` left out altogether. Whatever is given becomes plain data:
 * cycles, getters that throw and values that are no JSON are replaced by a word that says so. `names` of the top level hold ids and are kept as they are.
 */
export function redactDeep(value: unknown, mask: Mask, names: ReadonlySet<string> = none): unknown {
  if (typeof value !== "object" || value === null) return copy(value, nothingAbove(mask), undefined);
  return copyWith(names, value, nothingAbove(mask));
}

/** The value of a field, masked as in an object. */
export function maskField(name: string, value: unknown, mask: Mask): unknown {
  return copy(value, nothingAbove(mask), name);
}

const none: ReadonlySet<string> = new Set();

interface Copying {
  readonly mask: Mask;
  /** The objects this value lies in. */
  readonly above: object[];
  valuesLeft: number;
}

function nothingAbove(mask: Mask): Copying {
  return { mask, above: [], valuesLeft: maxValues };
}

function copy(value: unknown, copying: Copying, name: string | undefined): unknown {
  switch (typeof value) {
    case "string":
      return name !== undefined && value !== "" && secretNames.test(name) ? "…" : copying.mask(value);
    case "object":
      return value === null ? null : copyWith(none, value, copying);
    case "bigint":
      return String(value);
    case "function":
    case "symbol":
      return undefined;
    default:
      return value;
  }
}

function copyWith(names: ReadonlySet<string>, value: object, copying: Copying): unknown {
  const { above } = copying;
  if (above.includes(value)) return "[circular]";
  if (above.length >= maxDepth) return "[too deep]";
  copying.valuesLeft -= 1;
  if (copying.valuesLeft < 0) return "[too much]";
  above.push(value);
  try {
    return Object.freeze(copyObject(value, names, copying));
  } catch {
    return "[unreadable]"; // a getter that throws, a revoked proxy: somebody else's object, and the word says so
  } finally {
    above.pop();
  }
}

function copyObject(value: object, names: ReadonlySet<string>, copying: Copying): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, copying, undefined));
  if (value instanceof Error) return { name: value.name, message: copying.mask(value.message) };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const fields = {};
  for (const name of Object.keys(value)) {
    const item: unknown = Reflect.get(value, name);
    if (names.has(name)) put(fields, name, item);
    else put(fields, copying.mask(name), copy(item, copying, name));
  }
  return fields;
}

/** Sets a field of its own, also where its name is that of the prototype. */
function put(fields: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

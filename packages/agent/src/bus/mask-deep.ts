/** Replaces the secrets of a text. */
export type Mask = (text: string) => string;

const secretNames = /pass(?:word|wd|phrase)?$|secret|token$|api[_-]?key|authorization|credential|private[_-]?key|cookie/i;
const maxDepth = 64;
const maxValues = 100_000;

/**
 * A frozen copy with every text masked, and those under names like `password` left out altogether. Whatever is given becomes plain data:
 * cycles, getters that throw and values that are no JSON are replaced by a word that says so. `names` of the top level hold ids and are kept as they are.
 */
export function maskDeep(value: unknown, mask: Mask, names: ReadonlySet<string> = none): unknown {
  return copy(value, { mask, names, above: new Set(), left: { values: maxValues } }, undefined);
}

const none: ReadonlySet<string> = new Set();

interface Copying {
  readonly mask: Mask;
  readonly names: ReadonlySet<string>;
  /** The objects this value lies in. */
  readonly above: Set<object>;
  readonly left: { values: number };
}

function copy(value: unknown, copying: Copying, name: string | undefined): unknown {
  if (typeof value === "string") return name !== undefined && value !== "" && secretNames.test(name) ? "…" : copying.mask(value);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (copying.above.has(value)) return "[circular]";
  if (copying.above.size >= maxDepth) return "[too deep]";
  copying.left.values -= 1;
  if (copying.left.values < 0) return "[too much]";
  copying.above.add(value);
  try {
    return Object.freeze(copyObject(value, copying));
  } catch {
    return "[unreadable]"; // a getter that throws, a revoked proxy: somebody else's object, and the word says so
  } finally {
    copying.above.delete(value);
  }
}

function copyObject(value: object, copying: Copying): unknown {
  const inner = copying.names === none ? copying : { ...copying, names: none };
  if (Array.isArray(value)) return value.map((item) => copy(item, inner, undefined));
  if (value instanceof Error) return { name: value.name, message: copying.mask(value.message) };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => (copying.names.has(name) ? [name, item] : [copying.mask(name), copy(item, inner, name)])),
  );
}

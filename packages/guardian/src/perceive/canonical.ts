/** Deeper than any real argument; beyond it keys are no longer sorted, so that a hostile value cannot exhaust the stack. */
const DEEPEST = 500;

/** A value without parts. */
type Leaf = string | number | boolean | bigint | null;

/** Is told of a leaf, with the name it stands under. */
export type Visit = (name: string, leaf: Leaf) => void;

/**
 * JSON with keys sorted at every depth and nothing cut off, so that equal arguments give equal text.
 * Survives cycles, getters that throw, `__proto__` and values JSON does not know. `visit` is told of every leaf on the way.
 */
export function canonical(value: unknown, visit?: Visit): string {
  return write(value, "", [], visit);
}

function write(value: unknown, name: string, above: object[], visit: Visit | undefined): string {
  if (typeof value === "object" && value !== null) return writeObject(value, name, above, visit);
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return `"<${typeof value}>"`;
  visit?.(name, value as Leaf); // what is left has no parts
  return typeof value === "string" ? JSON.stringify(value) : typeof value === "bigint" ? `${value}n` : String(value);
}

function writeObject(value: object, name: string, above: object[], visit: Visit | undefined): string {
  if (above.includes(value)) return '"<cycle>"';
  if (above.length >= DEEPEST) return asIs(value);
  above.push(value);
  const text = Array.isArray(value) ? writeArray(value, name, above, visit) : writeRecord(value, name, above, visit);
  above.pop();
  return text;
}

function writeArray(items: readonly unknown[], name: string, above: object[], visit: Visit | undefined): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) text += (i === 0 ? "" : ",") + write(items[i], name, above, visit);
  return `${text}]`;
}

function writeRecord(value: object, name: string, above: object[], visit: Visit | undefined): string {
  if (value instanceof Error) return write(`${value.name}: ${value.message}`, name, above, visit);
  const plain = read(value, "toJSON");
  if (typeof plain === "function") return write(called(value, plain as () => unknown), name, above, visit);
  let text = "{";
  for (const key of Object.keys(value).sort()) {
    const part = read(value, key);
    if (part === undefined || typeof part === "function") continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${write(part, key, above, visit)}`;
  }
  return `${text}}`;
}

function called(value: object, toJSON: () => unknown): unknown {
  try {
    return toJSON.call(value);
  } catch {
    return UNREADABLE;
  }
}

function asIs(value: object): string {
  try {
    return JSON.stringify(value) ?? UNREADABLE;
  } catch {
    return '"<deep>"';
  }
}

/** A property of a value nobody vouches for: a getter or a proxy may throw. */
function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]; // any object may be asked for any key; what is absent is undefined
  } catch {
    return UNREADABLE; // a value of the world that cannot be read is a value too
  }
}

const UNREADABLE = "<unreadable>";

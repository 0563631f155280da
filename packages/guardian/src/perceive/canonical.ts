/**
 * Deeper than any real argument. Beyond it keys are no longer sorted, so that a hostile value cannot exhaust the
 * stack.
 */
const MAX_DEPTH = 500;

const UNREADABLE = "<unreadable>";

/** A value without parts. */
type Leaf = string | number | boolean | bigint | null;

/** Called with each leaf and the name of the field that holds it. */
export type Visit = (name: string, leaf: Leaf) => void;

/**
 * JSON with keys sorted at every depth and nothing cut off, so that equal arguments give equal text.
 * Survives cycles, getters that throw, `__proto__` and values that JSON does not know. Calls `visit` with every leaf.
 */
export function canonical(value: unknown, visit: Visit = () => {}): string {
  return write(value, "", { ancestors: [], visit });
}

interface Walk {
  readonly ancestors: object[];
  readonly visit: Visit;
}

function write(value: unknown, name: string, walk: Walk): string {
  if (typeof value === "object" && value !== null) return writeObject(value, name, walk);
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return `"<${typeof value}>"`;
  walk.visit(name, value as Leaf); // all other types have no parts
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "bigint" ? `${value}n` : String(value);
}

function writeObject(value: object, name: string, walk: Walk): string {
  if (walk.ancestors.includes(value)) return '"<cycle>"';
  if (walk.ancestors.length >= MAX_DEPTH) return writeUnsorted(value);
  walk.ancestors.push(value);
  const text = Array.isArray(value)
    ? `[${Array.from(value, (item) => write(item, name, walk)).join(",")}]`
    : writeRecord(value, name, walk);
  walk.ancestors.pop();
  return text;
}

function writeRecord(value: object, name: string, walk: Walk): string {
  if (value instanceof Error) return write(`${value.name}: ${value.message}`, name, walk);
  const toJson = read(value, "toJSON");
  if (typeof toJson === "function") return write(callToJson(value, toJson as () => unknown), name, walk);
  const fields = Object.keys(value)
    .sort()
    .map((key) => [key, read(value, key)] as const)
    .filter(([, part]) => part !== undefined && typeof part !== "function");
  return `{${fields.map(([key, part]) => `${JSON.stringify(key)}:${write(part, key, walk)}`).join(",")}}`;
}

function callToJson(value: object, toJson: () => unknown): unknown {
  try {
    return toJson.call(value);
  } catch {
    return UNREADABLE;
  }
}

function writeUnsorted(value: object): string {
  try {
    return JSON.stringify(value) ?? UNREADABLE;
  } catch {
    return '"<deep>"';
  }
}

/** A property of an untrusted value: a getter or a proxy may throw. */
function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]; // any object may be read by any key; a missing one is undefined
  } catch {
    return UNREADABLE;
  }
}

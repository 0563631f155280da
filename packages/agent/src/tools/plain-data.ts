/** What JSON can hold. */
export type PlainData =
  | string
  | number
  | boolean
  | null
  | readonly PlainData[]
  | { readonly [name: string]: PlainData };

const most = { values: 5_000, depth: 20, chars: 200_000 } as const;

interface Reading {
  valuesLeft: number;
  charsLeft: number;
  readonly above: object[];
}

/** Any value as plain data, whatever it is: cycles, getters that throw, proxies, a million keys. Bounded; what was left out is said in place. */
export function plainData(value: unknown): PlainData {
  return plain(value, { valuesLeft: most.values, charsLeft: most.chars, above: [] }, 0);
}

function plain(value: unknown, reading: Reading, depth: number): PlainData {
  if (reading.valuesLeft-- <= 0) return "[left out: too many values]";
  try {
    if (value === null) return null;
    if (typeof value === "string") return shortened(value, reading);
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (typeof value === "bigint") return shortened(value.toString(), reading);
    if (typeof value === "undefined") return "[undefined]";
    if (typeof value === "symbol") return shortened(value.toString(), reading);
    if (typeof value === "function") return "[function]";
    if (reading.above.includes(value)) return "[the same again: a circle]";
    if (depth >= most.depth) return "[left out: too deep]";
    return object(value, reading, depth);
  } catch {
    return "[unreadable]"; // a getter or a proxy that throws: what it threw is no more trustworthy
  }
}

function object(value: object, reading: Reading, depth: number): PlainData {
  reading.above.push(value);
  try {
    if (Array.isArray(value)) return items(value, reading, depth);
    if (Object.getPrototypeOf(value) === Object.prototype) return fields(value, reading, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (value instanceof Error)
      return { name: shortened(String(value.name), reading), message: shortened(String(value.message), reading) };
    if (value instanceof Map) return items(value.entries(), reading, depth);
    if (value instanceof Set) return items(value.values(), reading, depth);
    if (value instanceof RegExp || value instanceof URL) return shortened(String(value), reading);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    return fields(value, reading, depth);
  } finally {
    reading.above.pop();
  }
}

function items(values: Iterable<unknown>, reading: Reading, depth: number): PlainData {
  const list: PlainData[] = [];
  for (const each of values) {
    list.push(plain(each, reading, depth + 1));
    if (reading.valuesLeft <= 0) {
      list.push("[more left out]");
      break;
    }
  }
  return list;
}

function fields(value: object, reading: Reading, depth: number): PlainData {
  const copy: Record<string, PlainData> = {};
  for (const name of Object.keys(value)) {
    set(copy, shortened(name, reading), plain(read(value, name), reading, depth + 1));
    if (reading.valuesLeft <= 0) {
      set(copy, "…", "[more left out]");
      break;
    }
  }
  return copy;
}

/** A field named `__proto__` stays a field. */
function set(copy: Record<string, PlainData>, name: string, value: PlainData): void {
  if (name === "__proto__")
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  else copy[name] = value;
}

function read(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return "[unreadable]";
  }
}

function shortened(text: string, reading: Reading): string {
  if (text.length <= reading.charsLeft) {
    reading.charsLeft -= text.length;
    return text;
  }
  const kept = text.slice(0, reading.charsLeft);
  reading.charsLeft = 0;
  return `${kept}[${text.length - kept.length} characters left out]`;
}

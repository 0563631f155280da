/** What JSON can hold. */
export type PlainData = string | number | boolean | null | readonly PlainData[] | { readonly [name: string]: PlainData };

const most = { values: 5_000, depth: 20, chars: 200_000 } as const;

interface Reading {
  valuesLeft: number;
  charsLeft: number;
  readonly above: Set<object>;
}

/** Any value as plain data, whatever it is: cycles, getters that throw, proxies, a million keys. Bounded; what was left out is said in place. */
export function plainData(value: unknown): PlainData {
  return plain(value, { valuesLeft: most.values, charsLeft: most.chars, above: new Set() }, 0);
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
    if (reading.above.has(value)) return "[the same again: a circle]";
    if (depth >= most.depth) return "[left out: too deep]";
    return object(value, reading, depth);
  } catch {
    return "[unreadable]"; // a getter or a proxy that throws: what it threw is no more trustworthy
  }
}

function object(value: object, reading: Reading, depth: number): PlainData {
  reading.above.add(value);
  try {
    if (Array.isArray(value)) return items(value, reading, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (value instanceof Error) return { name: shortened(String(value.name), reading), message: shortened(String(value.message), reading) };
    if (value instanceof Map) return items(value.entries(), reading, depth);
    if (value instanceof Set) return items(value.values(), reading, depth);
    if (value instanceof RegExp || value instanceof URL) return shortened(String(value), reading);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    return fields(value, reading, depth);
  } finally {
    reading.above.delete(value);
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
  const pairs: [string, PlainData][] = [];
  for (const name of Object.keys(value)) {
    const shown = shortened(name, reading);
    pairs.push([shown, plain(read(value, name), reading, depth + 1)]);
    if (reading.valuesLeft <= 0) {
      pairs.push(["…", "[more left out]"]);
      break;
    }
  }
  return Object.fromEntries(pairs); // defines own properties, so that a field named __proto__ stays a field
}

function read(value: object, name: string): unknown {
  try {
    return Reflect.get(value, name);
  } catch {
    return "[unreadable]";
  }
}

function shortened(text: string, reading: Reading): string {
  const kept = text.slice(0, Math.max(0, reading.charsLeft));
  reading.charsLeft -= kept.length;
  return kept.length === text.length ? kept : `${kept}[${text.length - kept.length} characters left out]`;
}

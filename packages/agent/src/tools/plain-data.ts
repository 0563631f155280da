/** A value that JSON can represent. */
export type PlainData =
  | string
  | number
  | boolean
  | null
  | readonly PlainData[]
  | { readonly [name: string]: PlainData };

const limits = { values: 5_000, depth: 20, chars: 200_000 } as const;

/** What is left of the limits, and the objects that contain the value being copied. */
interface Budget {
  valuesLeft: number;
  charsLeft: number;
  readonly ancestors: object[];
}

/**
 * Copies any value as plain data, also cycles, throwing getters, proxies and objects with a million keys. The copy is
 * bounded; a note stands in place of everything that was left out.
 */
export function plainData(value: unknown): PlainData {
  return copyValue(value, { valuesLeft: limits.values, charsLeft: limits.chars, ancestors: [] });
}

function copyValue(value: unknown, budget: Budget): PlainData {
  if (budget.valuesLeft-- <= 0) return "[left out: too many values]";
  try {
    if (typeof value === "object") return value === null ? null : copyObject(value, budget);
    switch (typeof value) {
      case "string":
        return copyText(value, budget);
      case "boolean":
        return value;
      case "number":
        return Number.isFinite(value) ? value : String(value);
      case "bigint":
      case "symbol":
        return copyText(value.toString(), budget);
      case "undefined":
        return "[undefined]";
      default:
        return "[function]";
    }
  } catch {
    return "[unreadable]"; // a getter or a proxy threw, and the error may be just as hostile
  }
}

function copyObject(value: object, budget: Budget): PlainData {
  if (budget.ancestors.includes(value)) return "[circular reference]";
  if (budget.ancestors.length >= limits.depth) return "[left out: too deep]";
  budget.ancestors.push(value);
  try {
    if (Array.isArray(value)) return copyItems(value, budget);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "[invalid date]" : value.toISOString();
    if (value instanceof Error)
      return { name: copyText(String(value.name), budget), message: copyText(String(value.message), budget) };
    if (value instanceof Map) return copyItems(value.entries(), budget);
    if (value instanceof Set) return copyItems(value.values(), budget);
    if (value instanceof RegExp || value instanceof URL) return copyText(String(value), budget);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    return copyFields(value, budget);
  } finally {
    budget.ancestors.pop();
  }
}

function copyItems(values: Iterable<unknown>, budget: Budget): PlainData {
  const items: PlainData[] = [];
  for (const value of values) {
    items.push(copyValue(value, budget));
    if (budget.valuesLeft > 0) continue;
    items.push("[more left out]");
    break;
  }
  return items;
}

function copyFields(value: object, budget: Budget): PlainData {
  const fields: [string, PlainData][] = [];
  for (const name of Object.keys(value)) {
    fields.push([copyText(name, budget), copyValue(readField(value, name), budget)]);
    if (budget.valuesLeft > 0) continue;
    fields.push(["…", "[more left out]"]);
    break;
  }
  return Object.fromEntries(fields); // a field named `__proto__` stays an ordinary field
}

function readField(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name]; // `name` is one of its keys
  } catch {
    return "[unreadable]";
  }
}

function copyText(text: string, budget: Budget): string {
  const copied = text.slice(0, budget.charsLeft);
  budget.charsLeft -= copied.length;
  const missing = text.length - copied.length;
  return missing === 0 ? text : `${copied}[${missing} characters left out]`;
}

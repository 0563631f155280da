import { createHash } from "node:crypto";
import { isObject, type Json } from "./json.ts";

/** The hash of a run as the labels state it: 32 hexadecimal characters, independent of the order of keys. */
export function runHash(run: Json): string {
  return createHash("sha256")
    .update(JSON.stringify(withSortedKeys(run)))
    .digest("hex")
    .slice(0, 32);
}

function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withSortedKeys(item));
  if (!isObject(value)) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, withSortedKeys(value[key] ?? null)]);
  return Object.fromEntries(entries);
}

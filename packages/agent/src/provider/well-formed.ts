/**
 * A copy of JSON data without lone surrogates, in values and in names: a provider refuses every request that has one.
 * The data is not deeper than a stack allows.
 */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  // Object.fromEntries defines a field named "__proto__" like any other.
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name.toWellFormed(), wellFormed(field)]));
}

import { stringify } from "smol-toml";
import { dottedKey } from "./dotted-key.ts";

/** A value as one line of TOML. */
export function tomlValue(value: unknown): string {
  if (typeof value === "string") return stringify({ value }).slice("value = ".length).trimEnd();
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const pairs = Object.entries(value).map(([name, part]) => `${dottedKey([name])} = ${tomlValue(part)}`);
  return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
}

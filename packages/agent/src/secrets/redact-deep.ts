import { isSecretName } from "@sheepdog/guardian/secrets";
import type { Redact } from "./redact.ts";

const MAX_DEPTH = 64;
const MAX_VALUES = 100_000;

/**
 * A deeply frozen copy of any value as plain data, with secrets removed from every text and every name; the value of a
 * field with the name of a secret is replaced completely. Cycles, getters
 * that throw and values that are not JSON become a word that says so. `idFields` at the top level are copied unchanged.
 */
export function redactDeep(value: unknown, redact: Redact, idFields: ReadonlySet<string> = noFields): unknown {
  const copying: Copying = { redact, ancestors: [], valuesLeft: MAX_VALUES };
  return typeof value === "object" && value !== null
    ? copyObject(value, idFields, copying)
    : copyValue(value, undefined, copying);
}

const noFields: ReadonlySet<string> = new Set();

interface Copying {
  readonly redact: Redact;
  /** The objects that contain the current value. */
  readonly ancestors: object[];
  valuesLeft: number;
}

function copyValue(value: unknown, name: string | undefined, copying: Copying): unknown {
  if (name !== undefined && isSecretName(name) && hasContent(value)) return "…";
  switch (typeof value) {
    case "string":
      return copying.redact(value);
    case "object":
      return value === null ? null : copyObject(value, noFields, copying);
    case "bigint":
      return String(value);
    case "function":
    case "symbol":
      return undefined;
    default:
      return value;
  }
}

/** Whether a value under the name of a secret could be one: text, a number or an object, but not empty or a flag. */
function hasContent(value: unknown): boolean {
  return value !== "" && value !== null && ["string", "number", "bigint", "object"].includes(typeof value);
}

function copyObject(value: object, idFields: ReadonlySet<string>, copying: Copying): unknown {
  const { ancestors } = copying;
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length >= MAX_DEPTH) return "[too deep]";
  copying.valuesLeft -= 1;
  if (copying.valuesLeft < 0) return "[too much]";
  ancestors.push(value);
  try {
    return Object.freeze(copyFields(value, idFields, copying));
  } catch {
    return "[unreadable]"; // a getter that throws, a revoked proxy
  } finally {
    ancestors.pop();
  }
}

function copyFields(value: object, idFields: ReadonlySet<string>, copying: Copying): unknown {
  if (Array.isArray(value)) return value.map((item) => copyValue(item, undefined, copying));
  if (value instanceof Error) return { name: value.name, message: copying.redact(value.message) };
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // Object.fromEntries defines a field named "__proto__" like any other.
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) =>
      idFields.has(name) ? [name, field] : [copying.redact(name), copyValue(field, name, copying)],
    ),
  );
}

import { isDeepStrictEqual } from "node:util";
import type { Setting } from "./read-layer.ts";

/** What an untrusted project file may set: a value to take, or nothing. */
export type Tightened = { readonly isAllowed: true; readonly value: unknown } | { readonly isAllowed: false };

const refused: Tightened = { isAllowed: false };

/** Whether a value makes the configuration stricter than it is, by what its key allows. */
export function tighten({ reach, value, hasVariables }: Setting, before: unknown): Tightened {
  const taken: Tightened = { isAllowed: true, value };
  if (hasVariables) return refused;
  if (isDeepStrictEqual(value, before)) return taken;
  switch (reach) {
    case "free":
      return taken;
    case "true":
    case "false":
      return value === (reach === "true") ? taken : refused;
    case "lower":
      return isBelow(value, before) ? taken : refused;
    case "lower-limit":
      return value !== 0 && (before === 0 || isBelow(value, before)) ? taken : refused;
    case "longer-list":
      return { isAllowed: true, value: [...new Set([...listOf(before), ...listOf(value)])] };
    case "nothing":
      return refused;
    default:
      return reach satisfies never;
  }
}

function isBelow(a: unknown, b: unknown): boolean {
  return typeof a === "number" && typeof b === "number" && a < b;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

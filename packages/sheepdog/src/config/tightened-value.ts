import { isDeepStrictEqual } from "node:util";
import type { Setting } from "./read-layer.ts";

/** The value that an untrusted project file sets, or a refusal. */
export type TightenedValue =
  | {
      readonly isAllowed: true;
      readonly value: unknown;
      /** A part of the value was left out. */
      readonly isPart?: true;
    }
  | { readonly isAllowed: false };

const refused: TightenedValue = { isAllowed: false };

/** Accepts a value of an untrusted file only if it makes the configuration stricter, as its key defines. */
export function tightenValue({ reach, value, hasVariables }: Setting, current: unknown): TightenedValue {
  const accepted: TightenedValue = { isAllowed: true, value };
  if (hasVariables) return refused;
  if (isDeepStrictEqual(value, current)) return accepted;
  switch (reach) {
    case "free":
      return accepted;
    case "true":
    case "false":
      return value === (reach === "true") ? accepted : refused;
    case "lower":
      return isBelow(value, current) ? accepted : refused;
    case "lower-limit":
      return value !== 0 && (current === 0 || isBelow(value, current)) ? accepted : refused;
    case "longer-list":
      return { isAllowed: true, value: [...new Set([...listOf(current), ...listOf(value)])] };
    case "stricter-rules":
      return stricterRules(listOf(value));
    case "deny":
      return value === "deny" ? accepted : refused;
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

function stricterRules(rules: readonly unknown[]): TightenedValue {
  const stricter = rules.filter(
    (rule) => typeof rule === "object" && rule !== null && "decision" in rule && rule.decision !== "allow",
  );
  if (stricter.length === rules.length) return { isAllowed: true, value: rules };
  return stricter.length === 0 ? refused : { isAllowed: true, value: stricter, isPart: true };
}

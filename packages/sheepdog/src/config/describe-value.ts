import { closestName } from "@sheepdog/guardian";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Shape } from "./config-shape.ts";

/** The values that a shape accepts, to follow "it must be". */
export function describeShape(shape: Shape): string {
  switch (shape.kind) {
    case "value":
      return shape.accepts;
    case "section":
      return `a table with ${[...shape.keys.keys()].join(", ")}`;
    case "named":
      return "a table";
    case "list":
      return shape.isNeverEmpty ? "a list that is not empty" : "a list";
    case "either":
      return `${JSON.stringify(shape.word)} or ${describeShape(shape.or)}`;
    default:
      return shape satisfies never;
  }
}

/** What the user probably meant by a value that does not fit; empty if unknown. */
export function suggestion(shape: Shape, value: unknown): string {
  if (shape.kind === "list" && shape.each.kind === "section" && typeof value === "object" && !Array.isArray(value))
    return "; write its header with [[ and ]]";
  if (typeof value !== "string") return "";
  if (shape.kind === "list" && shape.each.kind === "value" && shape.each.holds(value))
    return `, like [${showValue(value)}]`;
  const near = shape.kind === "value" && shape.choices !== undefined ? closestName(value, shape.choices) : undefined;
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** A value in a sentence: shortened, without secrets. */
export function showValue(value: unknown): string {
  const json = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing"); // JSON has no Infinity
  const text = redactSecrets(json);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** The nearest valid name for an unknown one, or all valid names. */
export function nearestName(name: string, valid: readonly string[]): string {
  const near = closestName(name, valid);
  return near === undefined ? `valid are ${valid.join(", ")}` : `did you mean "${near}"?`;
}

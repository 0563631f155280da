import { closestName, redactSecrets } from "@sheepdog/guardian";
import type { Shape } from "./shape.ts";

/** To end the sentence "it must be …". */
export function wordsOf(shape: Shape): string {
  switch (shape.kind) {
    case "value":
      return shape.words;
    case "section":
      return `a table with ${[...shape.keys.keys()].join(", ")}`;
    case "named":
      return "a table";
    case "list":
      return "a list";
    case "either":
      return `${JSON.stringify(shape.word)} or ${wordsOf(shape.or)}`;
    default:
      return shape satisfies never;
  }
}

/** What was perhaps meant by a value that does not fit; empty where nobody can tell. */
export function perhaps(shape: Shape, value: unknown): string {
  if (typeof value !== "string") return "";
  if (shape.kind === "list" && shape.each.kind === "value" && shape.each.holds(value))
    return `, like [${shown(value)}]`;
  const near = shape.kind === "value" && shape.choices !== undefined ? closestName(value, shape.choices) : undefined;
  return near === undefined ? "" : `; did you mean "${near}"?`;
}

/** A value as it is shown in a sentence: short, without secrets. */
export function shown(value: unknown): string {
  const text = typeof value === "number" ? String(value) : redactSecrets(JSON.stringify(value) ?? "nothing"); // JSON has no Infinity
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** What to write instead of a name that does not exist. */
export function instead(name: string, valid: readonly string[]): string {
  const near = closestName(name, valid);
  return near === undefined ? `there are ${valid.join(", ")}` : `did you mean "${near}"?`;
}

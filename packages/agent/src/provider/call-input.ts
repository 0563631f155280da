import { isRecord } from "./field-access.ts";
import { isBlank } from "./is-blank.ts";

/** The arguments of a call, or a sentence about why they are none. */
export type ParsedInput =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly input: undefined; readonly problem: string };

/** Deeper arguments cannot be written down again safely (`JSON.stringify` recurses), and no tool needs them. */
const maxDepth = 200;

/**
 * Reads the arguments a model wrote. No text stands for no arguments, as tools without parameters get it.
 * A key named `__proto__` stays an own key, and so does no harm. Numbers that would silently become others (ids beyond 2^53, 1e400) are refused.
 */
export function parseInput(text: string): ParsedInput {
  if (isBlank(text)) return { input: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`The arguments are not valid JSON (${reasonOf(error)}); write one JSON object`);
  }
  if (!isRecord(value)) return refuse(`The arguments are ${nameOf(value)}, but a JSON object was expected`);
  const problem = problemIn(value);
  return problem === undefined ? { input: value } : refuse(problem);
}

function refuse(problem: string): ParsedInput {
  return { input: undefined, problem };
}

/** The engine's reason without the excerpt of the text that newer ones add: arguments may hold secrets. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const position = /position \d+/.exec(message)?.[0];
  if (/end of JSON|Unterminated/i.test(message)) return "they end too early";
  return position === undefined ? "they cannot be read" : `they cannot be read at ${position}`;
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a string" : `a ${typeof value}`;
}

/** Level by level and without recursion, so that no depth overflows the stack. */
function problemIn(root: object): string | undefined {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `The arguments are nested deeper than ${maxDepth} levels; write them flatter`;
    const next: object[] = [];
    for (const holder of level) {
      for (const value of Object.values(holder) as unknown[]) {
        if (typeof value === "number" && !isExact(value))
          return `The arguments hold a number too large to be kept exactly (${value}); write it as a string`;
        if (typeof value === "object" && value !== null) next.push(value);
      }
    }
    level = next;
  }
  return undefined;
}

/** Whole numbers from 1e21 on are written with an exponent: nobody means an id by them. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21);
}

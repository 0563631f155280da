import { isRecord } from "../protocol/json.ts";
import { wellFormed } from "./well-formed.ts";

/** The arguments of a call, or why they cannot be used. */
export type ParsedCallInput =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly input: undefined; readonly problem: string };

/** `JSON.stringify` recurses and overflows on deeper arguments, and no tool needs them. */
const maxDepth = 200;

/**
 * Parses the arguments that a model wrote. Blank text means no arguments: providers send it for tools without
 * parameters. A key named `__proto__` stays an own key. Numbers that JSON.parse would change silently (ids beyond
 * 2^53, 1e400) are refused. Lone surrogates are replaced, as in texts.
 */
export function parseCallInput(text: string): ParsedCallInput {
  if (text.trim() === "") return { input: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`The arguments are not valid JSON (${describeParseError(error)}); write one JSON object`);
  }
  if (!isRecord(value)) return refuse(`The arguments are ${describeType(value)}, but a JSON object was expected`);
  const problem = findProblem(value);
  if (problem !== undefined) return refuse(problem);
  return { input: wellFormed(value) as typeof value }; // an object stays an object
}

function refuse(problem: string): ParsedCallInput {
  return { input: undefined, problem };
}

/** The engine's reason without the excerpt that newer versions add: arguments may contain secrets. */
function describeParseError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/end of JSON|Unterminated/i.test(message)) return "they end too early";
  const position = /position \d+/.exec(message)?.[0];
  return position === undefined ? "they cannot be parsed" : `they cannot be parsed at ${position}`;
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return `a ${typeof value}`;
}

/** Level by level instead of recursive, so that deep arguments do not overflow the stack. */
function findProblem(root: object): string | undefined {
  let level: object[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return `The arguments are nested deeper than ${maxDepth} levels; write them flatter`;
    const values = level.flatMap((parent): unknown[] => Object.values(parent));
    const inexact = values.find((value) => typeof value === "number" && !isExact(value));
    if (inexact !== undefined)
      return `The arguments contain a number too large to be stored exactly (${String(inexact)}); write it as a string`;
    level = values.filter((value): value is object => typeof value === "object" && value !== null);
  }
  return undefined;
}

/** Integers from 1e21 on are written with an exponent, so they are not ids. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21);
}

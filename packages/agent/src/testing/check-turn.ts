import { isRecord } from "../protocol/json.ts";
import { faultTypes } from "./fault.ts";
import type { ScriptedTurn } from "./script.ts";

const fieldTypes = {
  thinking: "a string",
  signature: "a string",
  text: "a string",
  calls: "a list",
  stop: "anything",
  usage: "anything",
  fault: "an object",
  delayMs: "a number",
  deltaDelayMs: "a number",
  deltaChars: "a number",
  framing: "an object",
} as const satisfies Record<keyof ScriptedTurn, FieldType>;

type FieldType = "a string" | "a list" | "a number" | "an object" | "anything";

const isOfType: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  "a string": (value) => typeof value === "string",
  "a list": (value) => Array.isArray(value),
  "a number": (value) => typeof value === "number" && value >= 0,
  "an object": isRecord,
  anything: () => true,
};

/** Throws a sentence when a turn is invalid: scripts also come from JavaScript and from files. */
export function checkTurn(turn: unknown, index: number): asserts turn is ScriptedTurn {
  const where = `Turn ${index} of the script`;
  if (!isRecord(turn))
    throw new Error(
      `${where} is ${describe(turn)}; a turn is an object such as { text: "…" }, or a function that returns one.`,
    );
  for (const [key, value] of Object.entries(turn)) checkField(where, key, value);
  for (const call of Array.isArray(turn["calls"]) ? turn["calls"] : []) {
    if (!isRecord(call) || typeof call["tool"] !== "string")
      throw new Error(`${where} has a call without a tool; a call is { tool: "…", input: {…} }.`);
  }
  const fault = turn["fault"];
  if (isRecord(fault) && !faultTypes.includes(String(fault["type"]))) {
    throw new Error(`${where} has a fault of type ${describe(fault["type"])}; the types are ${faultTypes.join(", ")}.`);
  }
}

function checkField(where: string, key: string, value: unknown): void {
  if (!isField(key))
    throw new Error(
      `${where} has "${key}", which is not a field of a turn; the fields are ${Object.keys(fieldTypes).join(", ")}.`,
    );
  if (value !== undefined && !isOfType[fieldTypes[key]](value))
    throw new Error(`${where} has ${describe(value)} as "${key}", which must be ${fieldTypes[key]}.`);
  if (key === "deltaChars" && !(Number(value) >= 1))
    throw new Error(`${where} has ${describe(value)} as "deltaChars"; a delta has at least 1 character.`);
}

function isField(key: string): key is keyof typeof fieldTypes {
  return Object.hasOwn(fieldTypes, key);
}

function describe(value: unknown): string {
  return value === undefined ? "undefined" : (JSON.stringify(value) ?? typeof value);
}

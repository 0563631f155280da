import { faultTypes } from "./fault.ts";
import type { ScriptedTurn } from "./script.ts";

const keys = {
  thinking: "a text",
  signature: "a text",
  text: "a text",
  calls: "a list",
  stop: "anything",
  usage: "anything",
  fault: "an object",
  delayMs: "a number",
  deltaDelayMs: "a number",
  deltaChars: "a number",
  framing: "an object",
} as const satisfies Record<keyof ScriptedTurn, Kind>;

type Kind = "a text" | "a list" | "a number" | "an object" | "anything";

const is: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  "a text": (value) => typeof value === "string",
  "a list": (value) => Array.isArray(value),
  "a number": (value) => typeof value === "number" && value >= 0,
  "an object": isObject,
  anything: () => true,
};

/** Throws a sentence about what is wrong with a turn, where something is: scripts also come from JavaScript and from files. */
export function checkTurn(turn: unknown, index: number): asserts turn is ScriptedTurn {
  const where = `Turn ${index} of the script`;
  if (!isObject(turn))
    throw new Error(
      `${where} is ${describe(turn)}; a turn is an object such as { text: "…" }, or a function that returns one.`,
    );
  for (const [key, value] of Object.entries(turn)) checkField(where, key, value);
  for (const call of Array.isArray(turn["calls"]) ? turn["calls"] : []) {
    if (!isObject(call) || typeof call["tool"] !== "string")
      throw new Error(`${where} has a call without a tool; a call is { tool: "…", input: {…} }.`);
  }
  const fault = turn["fault"];
  if (isObject(fault) && !faultTypes.includes(String(fault["type"]))) {
    throw new Error(`${where} has a fault of type ${describe(fault["type"])}; there are ${faultTypes.join(", ")}.`);
  }
}

function checkField(where: string, key: string, value: unknown): void {
  if (!isKey(key))
    throw new Error(`${where} has "${key}", which is no part of a turn; those are ${Object.keys(keys).join(", ")}.`);
  if (value !== undefined && !is[keys[key]](value))
    throw new Error(`${where} has ${describe(value)} as "${key}", where ${keys[key]} belongs.`);
  if (key === "deltaChars" && !(Number(value) >= 1))
    throw new Error(`${where} has ${describe(value)} as "deltaChars"; a delta has at least 1 character.`);
}

function isKey(key: string): key is keyof typeof keys {
  return Object.hasOwn(keys, key);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  return value === undefined ? "undefined" : (JSON.stringify(value) ?? typeof value);
}

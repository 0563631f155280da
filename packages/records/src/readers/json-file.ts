import { readFile } from "node:fs/promises";
import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { describeReadFailure } from "./read-failure.ts";

/** A JSON object, or why a file holds none. */
export interface ReadJson {
  readonly value: JsonObject | undefined;
  /** Empty for an object. */
  readonly why: string;
}

/** Reads a file that holds one JSON object. */
export async function readJsonFile(file: string): Promise<ReadJson> {
  try {
    const parsed = parseJson(await readFile(file, "utf8"));
    if (!parsed.ok) return { value: undefined, why: `this is not JSON (${parsed.why})` };
    if (!isObject(parsed.value)) return { value: undefined, why: "this is not a JSON object" };
    return { value: parsed.value, why: "" };
  } catch (error) {
    return { value: undefined, why: describeReadFailure(error).why };
  }
}

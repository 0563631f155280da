import { readFile, stat } from "node:fs/promises";
import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { describeReadFailure } from "./read-failure.ts";

/** A JSON object, or why a file holds none. */
export interface ReadJson {
  readonly value: JsonObject | undefined;
  /** Empty for an object. */
  readonly why: string;
}

/** A larger file is not read at once. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a file that holds one JSON object. */
export async function readJsonFile(file: string): Promise<ReadJson> {
  try {
    const info = await stat(file); // a pipe would be waited for
    if (!info.isFile()) return { value: undefined, why: "this is no ordinary file" };
    if (info.size > MAX_BYTES) return { value: undefined, why: "this file is larger than 256 MiB" };
    const parsed = parseJson(await readFile(file, "utf8"));
    if (!parsed.ok) return { value: undefined, why: `this is not JSON (${parsed.why})` };
    if (!isObject(parsed.value)) return { value: undefined, why: "this is not a JSON object" };
    return { value: parsed.value, why: "" };
  } catch (error) {
    return { value: undefined, why: describeReadFailure(error).why };
  }
}

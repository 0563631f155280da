/** An object parsed from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The id of a request. */
export type RequestId = string | number;

/** A longer line is passed on unread: to parse it would hold up all others. */
const MAX_PARSED_CHARS = 64 * 1024 * 1024;

/** The messages of a line: one, or those of a batch. undefined if the line is not JSON-RPC. */
export function parseMessages(
  line: string,
): { readonly messages: readonly JsonObject[]; readonly isBatch: boolean } | undefined {
  if (line.length > MAX_PARSED_CHARS) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    const isBatch = Array.isArray(value);
    const messages: readonly unknown[] = isBatch ? value : [value];
    return messages.every(isObject) ? { messages, isBatch } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is an object and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The id of a request or a response; undefined for a notification. */
export function requestId({ id }: JsonObject): RequestId | undefined {
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** The ids 1 and "1" are different ones. */
export function idKey(id: RequestId): string {
  return JSON.stringify(id);
}

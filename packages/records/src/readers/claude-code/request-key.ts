import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";

/** Ids that Anthropic, Bedrock and Vertex give to a message: never twice. */
const uniqueId = /^msg_(?:bdrk_|vrtx_)?01[A-Za-z0-9]{20,}$/;

/**
 * Identifies the model request of an entry in all files. The id of a message is enough where it is unique: a side
 * thread repeats messages of its parent with request ids of its own. Gateways make up ids that may be equal by chance.
 */
export function requestKey({ id }: JsonObject, requestId: unknown): string | undefined {
  const message = textField(id);
  const request = textField(requestId);
  if (message === undefined) return request;
  return request === undefined || uniqueId.test(message) ? message : `${message} ${request}`;
}

/** Whether no other request can have this key. */
export function isUniqueKey(request: string): boolean {
  return uniqueId.test(request);
}

import type { RawResult } from "@sheepdog/guardian";
import { isObject, type JsonObject } from "./json-rpc.ts";

/** The code of a JSON-RPC error for arguments that do not fit; servers use it for unknown tools too. */
const INVALID_PARAMS = -32602;

/** How a call ended, from the response to `tools/call`. */
export function resultOutcome({ result, error }: JsonObject): RawResult {
  if (isObject(error)) {
    const message = typeof error["message"] === "string" ? error["message"] : JSON.stringify(error);
    return { status: error["code"] === INVALID_PARAMS ? "invalid-arguments" : "error", content: message };
  }
  if (!isObject(result)) return { status: "error", content: "no result" };
  return { status: result["isError"] === true ? "error" : "ok", content: contentOf(result) };
}

/** Text as text, everything else as JSON: the guardian needs to see that two results differ, not what they show. */
function contentOf({ content, structuredContent, ...rest }: JsonObject): string {
  if (!Array.isArray(content)) return JSON.stringify({ ...rest, structuredContent });
  const parts = content.map((part: unknown) =>
    isObject(part) && part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : JSON.stringify(part),
  );
  // A server that sends structured data sends it as text as well.
  return parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join("\n");
}

import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { isRecord, parseJson } from "../../protocol/json.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { gemini } from "./gemini.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { WireFormat } from "./wire-format.ts";
import type { WireRequest } from "./wire-server.ts";

const formats: readonly WireFormat[] = [openaiChat, openaiResponses, anthropicMessages, gemini];

/** A request in one of the supported formats, or what is wrong with it. */
export type ReadRequest =
  | { readonly ok: true; readonly format: WireFormat; readonly request: Omit<WireRequest, "index" | "outcome"> }
  | { readonly ok: false; readonly status: number; readonly problem: string };

/** Reads a request; its path determines the format. */
export async function readRequest(message: IncomingMessage): Promise<ReadRequest> {
  const content = await text(message);
  const path = message.url ?? "/";
  const { pathname } = new URL(path, "http://server");
  const body = parseJson(content === "" ? "{}" : content);
  if (!isRecord(body)) return { ok: false, status: 400, problem: "The body must be a JSON object." };
  for (const format of formats) {
    const model = format.modelOf(pathname, body);
    if (model === undefined) continue;
    if (!format.asksForStream(body))
      return { ok: false, status: 400, problem: 'This server only streams: the body needs "stream": true.' };
    return {
      ok: true,
      format,
      request: { format: format.name, path, model, headers: headersOf(message), body, text: content },
    };
  }
  const paths = "/v1/chat/completions, /v1/responses, /v1/messages and /v1beta/models/<id>:streamGenerateContent";
  return { ok: false, status: 404, problem: `There is no ${pathname} here; the paths are ${paths}.` };
}

function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

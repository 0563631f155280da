import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A call that the model makes. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
}

export interface AnthropicServer {
  readonly url: string;
  /** The bodies of all requests that offered tools, as text: those of the agent's own loop. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const inputTokens = 100;
const outputTokens = 10;

/** The calls of the reply to a request; none ends the run. */
export type Script = (request: { readonly index: number; readonly firstMessage: string }) => readonly ScriptedCall[];

/**
 * A server that speaks the streamed Messages API. It answers requests with tools by the script. Requests without tools
 * (titles, summaries) get a short text.
 */
export async function startAnthropicServer(script: Script): Promise<AnthropicServer> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages") || request.url.includes("count_tokens"))
      return response.writeHead(404, { "content-type": "application/json" }).end("{}");
    const { tools = [], stream = false, messages } = JSON.parse(body) as RequestBody;
    const firstMessage = JSON.stringify(messages[0]);
    const calls = tools.length > 0 ? script({ index: requests.push(body) - 1, firstMessage }) : [];
    return stream ? streamReply(response, calls) : sendReply(response, calls);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface RequestBody {
  readonly tools?: readonly unknown[];
  readonly stream?: boolean;
  readonly messages: readonly unknown[];
}

let replies = 0;

function contentOf(calls: readonly ScriptedCall[]): readonly Record<string, unknown>[] {
  replies += 1;
  if (calls.length === 0) return [{ type: "text", text: "Done." }];
  return calls.map((call, index) => ({ type: "tool_use", id: `toolu_${replies}_${index}`, ...call }));
}

function message(content: readonly unknown[], stopReason: string | null): Record<string, unknown> {
  const usage = { input_tokens: inputTokens, output_tokens: stopReason === null ? 1 : outputTokens };
  const id = `msg_${replies}`;
  const model = "claude-sonnet-4-5";
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage,
  };
}

function stopReasonOf(calls: readonly ScriptedCall[]): string {
  return calls.length === 0 ? "end_turn" : "tool_use";
}

function sendReply(response: ServerResponse, calls: readonly ScriptedCall[]): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(message(contentOf(calls), stopReasonOf(calls))));
}

function streamReply(response: ServerResponse, calls: readonly ScriptedCall[]): void {
  const content = contentOf(calls);
  const send = (event: { readonly type: string; readonly [field: string]: unknown }) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  send({ type: "message_start", message: message([], null) });
  for (const [index, block] of content.entries()) {
    const { input, text } = block;
    const start = input === undefined ? { ...block, text: "" } : { ...block, input: {} };
    send({ type: "content_block_start", index, content_block: start });
    const delta =
      input === undefined
        ? { type: "text_delta", text }
        : { type: "input_json_delta", partial_json: JSON.stringify(input) };
    send({ type: "content_block_delta", index, delta });
    send({ type: "content_block_stop", index });
  }
  const delta = { stop_reason: stopReasonOf(calls), stop_sequence: null };
  send({ type: "message_delta", delta, usage: { output_tokens: outputTokens } });
  send({ type: "message_stop" });
  response.end();
}

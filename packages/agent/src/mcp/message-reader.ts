import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { mcpLimits } from "./limits.ts";

export interface MessageReaderOptions {
  /** Parses one line. Throws for anything but a JSON-RPC message. */
  readonly parse: (line: string) => JSONRPCMessage;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onBadLine: (error: Error) => void;
  /** Called once; nothing is read afterwards. */
  readonly onFlood: (reason: string) => void;
}

/** Reads the messages of a server, one a line, within bounds. */
export interface MessageReader {
  add(chunk: Buffer): void;
  /** A request was sent: what follows may be its answer. */
  resetFlood(): void;
  readonly isFlooded: boolean;
}

export function createMessageReader({ parse, onMessage, onBadLine, onFlood }: MessageReaderOptions): MessageReader {
  let parts: Buffer[] = [];
  let partBytes = 0;
  let messages = 0;
  let bytes = 0;
  let badLines = 0;
  let isFlooded = false;

  function flood(reason: string): void {
    if (isFlooded) return;
    isFlooded = true;
    parts = [];
    onFlood(reason);
  }

  function readLine(line: string): void {
    if (line.trim() === "") return;
    try {
      const message = parse(line);
      messages += 1;
      onMessage(message);
    } catch (error) {
      badLines += 1;
      onBadLine(error instanceof Error ? error : new Error(String(error)));
      const id = answeredId(line);
      if (id !== undefined) onMessage({ jsonrpc: "2.0", id, error: { code: -32_603, message: invalidAnswer } });
    }
  }

  return {
    get isFlooded() {
      return isFlooded;
    },
    resetFlood() {
      messages = 0;
      bytes = 0;
    },
    add(chunk) {
      if (isFlooded) return;
      bytes += chunk.length;
      let rest = chunk;
      for (let end = rest.indexOf(10); end !== -1 && !isFlooded; end = rest.indexOf(10)) {
        readLine(Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8"));
        parts = [];
        partBytes = 0;
        rest = rest.subarray(end + 1);
        if (messages > mcpLimits.messages)
          flood(`The server sent more than ${mcpLimits.messages} messages without a request.`);
        if (badLines > mcpLimits.badLines) flood("The server does not speak MCP: its output is no JSON-RPC.");
      }
      if (isFlooded) return;
      parts.push(rest);
      partBytes += rest.length;
      if (partBytes > mcpLimits.messageBytes)
        flood(`The server sent a message of more than ${mcpLimits.messageBytes / 1024 / 1024} MB.`);
      if (bytes > mcpLimits.bytes)
        flood(`The server sent more than ${mcpLimits.bytes / 1024 / 1024} MB without a request.`);
    },
  };
}

const invalidAnswer = "The answer of the server is not a valid message.";

/** The id of the request that an invalid message answers: otherwise the request would wait for its whole time. */
function answeredId(line: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || "method" in value || !("id" in value)) return undefined;
    return typeof value.id === "string" || typeof value.id === "number" ? value.id : undefined;
  } catch {
    return undefined; // not even JSON
  }
}

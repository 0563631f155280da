import { request as httpRequest, type IncomingMessage } from "node:http";
import type { StreamMessage } from "@sheepdog/web/contract";
import { expect } from "vitest";
import type { TestServer } from "./test-server.ts";

/** A browser that follows the stream. */
export interface StreamReader {
  readonly status: number;
  readonly messages: readonly StreamMessage[];
  /** The id of the last message. */
  readonly lastId: () => string;
  readonly text: () => string;
  /** Resolves when so many messages of a type have arrived. */
  arrived(type: StreamMessage["type"], count: number): Promise<void>;
  /** Stops reading from the connection, or continues. */
  pause(): void;
  resume(): void;
  close(): void;
  readonly ended: Promise<void>;
}

/** Connects to the stream. */
export async function followStream(
  { port, token }: Pick<TestServer, "port" | "token">,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest(
      {
        port,
        host: "127.0.0.1",
        path: `/api/stream${query}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
        agent: false,
      },
      resolve,
    );
    sent.on("error", reject);
    sent.end();
  });
  const messages: StreamMessage[] = [];
  let text = "";
  let rest = "";
  let lastId = "";
  response.setEncoding("utf8");
  response.on("error", () => {});
  response.on("data", (chunk: string) => {
    text += chunk;
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      for (const line of part.split("\n")) {
        if (line.startsWith("id: ")) lastId = line.slice(4);
        if (line.startsWith("data: ")) messages.push(JSON.parse(line.slice(6)) as StreamMessage);
      }
    }
  });
  const ended = new Promise<void>((resolve) => response.on("close", () => resolve()));
  return {
    status: response.statusCode ?? 0,
    messages,
    lastId: () => lastId,
    text: () => text,
    arrived: (type, count) =>
      expect
        .poll(() => messages.filter((message) => message.type === type).length, { timeout: 15_000, interval: 20 })
        .toBeGreaterThanOrEqual(count) as unknown as Promise<void>,
    pause: () => response.pause(),
    resume: () => response.resume(),
    close: () => response.destroy(),
    ended,
  };
}

/** The `session:seq` of each saved event, in the order of arrival. */
export function savedKeys({ messages }: StreamReader): readonly string[] {
  return messages.flatMap((message) =>
    message.type === "events" ? message.events.map(({ sessionId, seq }) => `${sessionId}:${seq}`) : [],
  );
}

import type { GuardOptions } from "../guard/guard-options.ts";
import { createMcpProxy } from "./create-mcp-proxy.ts";
import { isObject, type JsonObject, parseMessages, requestId } from "./json-rpc.ts";
import { linesOf } from "./lines.ts";
import type { ProxyHost } from "./proxy-stdio.ts";
import { writeTo } from "./write-to.ts";

/** What carries messages to a server: a transport of the MCP SDK, or anything like it. */
export interface MessageTransport {
  start(onMessage: (message: JsonObject) => void, onClose: () => void): Promise<void>;
  send(message: JsonObject): Promise<void>;
  close(): Promise<void>;
  /** Called once the host and the server have agreed on a version. */
  setProtocolVersion(version: string): void;
}

export interface TransportProxyOptions {
  readonly transport: MessageTransport;
  readonly host: ProxyHost;
  readonly guard?: GuardOptions;
  /** Called if a message could not be sent; a request among them is answered with an error. */
  readonly onProblem?: (error: Error) => void;
}

/** JSON-RPC leaves the codes from -32000 to -32099 to implementations. */
const NOT_SENT = -32_000;

/** Passes messages between the host on stdio and a server behind a transport, until one of them ends. */
export async function proxyTransport({ transport, host, guard, onProblem }: TransportProxyOptions): Promise<void> {
  const proxy = createMcpProxy(guard);
  let initializeId: unknown;
  host.output.on("error", () => host.input.destroy()); // the host is gone
  const toHost = (line: string) => writeTo(host.output, `${line}\n`).catch(() => {}); // the host is gone

  function receive(message: JsonObject): void {
    const { id, result } = message;
    if (id !== undefined && id === initializeId && isObject(result) && typeof result["protocolVersion"] === "string")
      transport.setProtocolVersion(result["protocolVersion"]);
    const line = JSON.stringify(message);
    void toHost(proxy.fromServer(line) ?? line);
  }

  async function send(message: JsonObject): Promise<void> {
    if (message["method"] === "initialize") initializeId = message["id"];
    try {
      await transport.send(message);
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      onProblem?.(problem);
      const id = "method" in message ? requestId(message) : undefined;
      if (id === undefined) return;
      const answer = { jsonrpc: "2.0", id, error: { code: NOT_SENT, message: problem.message } };
      const line = JSON.stringify(answer);
      await toHost(proxy.fromServer(line) ?? line); // the guardian counts it as a failed call
    }
  }

  await transport.start(receive, () => host.input.destroy());
  try {
    for await (const bytes of linesOf(host.input)) {
      const line = bytes.toString("utf8");
      const { toServer, toHost: refused } = proxy.fromHost(line);
      if (refused !== undefined) await toHost(refused);
      const passed = toServer === "unchanged" ? line : toServer?.line;
      // The answer to a request may take long, and others must not wait for it.
      for (const message of passed === undefined ? [] : (parseMessages(passed)?.messages ?? [])) void send(message);
    }
  } catch {
    // the host or the server is gone
  }
  await transport.close();
}

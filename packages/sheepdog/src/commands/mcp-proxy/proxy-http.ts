import { type JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { GuardOptions } from "@sheepdog/integrations";
import { type ProxyHost, proxyTransport } from "@sheepdog/integrations/mcp-proxy";
import { exitCode } from "../../exit-code.ts";
import type { Io } from "../../io.ts";
import type { ProxiedServer } from "./read-server.ts";

interface HttpProxyOptions extends Pick<Io, "onInterrupt"> {
  readonly host: ProxyHost;
  readonly guard: GuardOptions;
  readonly tell: (sentence: string) => void;
}

/** Passes messages between the host on stdio and a server over streamable HTTP, until the host ends. */
export async function proxyHttp(
  { url, headers }: Extract<ProxiedServer, { readonly type: "http" }>,
  { host, guard, tell, onInterrupt }: HttpProxyOptions,
): Promise<number> {
  const http = new StreamableHTTPClientTransport(url, { requestInit: { headers }, redirectPolicy: "same-origin" });
  const removeListener = onInterrupt(() => host.input.destroy());
  await proxyTransport({
    transport: {
      start(onMessage, onClose) {
        http.onmessage = (message) => onMessage({ ...message });
        http.onclose = onClose;
        return http.start();
      },
      send: (message) => http.send(message as unknown as JSONRPCMessage), // the server checks it, as without a proxy
      setProtocolVersion: (version) => http.setProtocolVersion(version),
      async close() {
        await http.terminateSession().catch(() => {}); // the server may not know sessions, or may be gone
        await http.close();
      },
    },
    host,
    guard,
    onProblem: ({ message }) => tell(`the server did not take a message: ${message}`),
  });
  removeListener();
  return exitCode.done;
}

/** The guardian between an MCP host and a server. `sheepdog mcp-proxy` does the same for two programs. */
import { createMcpProxy } from "@sheepdog/integrations/mcp-proxy";

const proxy = createMcpProxy();

/** A server whose only tool fails in the same way each time. */
function server(line: string): string {
  const { id, method } = JSON.parse(line);
  const content = [{ type: "text", text: "The table orders is locked." }];
  const result = method === "tools/call" ? { content, isError: true } : {};
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** What the host reads as the result of its call. */
function call(id: number): string[] {
  const params = { name: "migrate", arguments: { to: 42 } };
  const request = JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
  const { toServer, toHost } = proxy.fromHost(request);
  const answer = toServer === undefined ? "" : server(toServer === "unchanged" ? request : toServer.line);
  const { result } = JSON.parse(toHost ?? proxy.fromServer(answer) ?? answer);
  return result.content.map(({ text }: { readonly text: string }) => text);
}

for (let id = 1; id <= 8; id++) console.log(`call ${id}\n  ${call(id).join("\n  ")}`);

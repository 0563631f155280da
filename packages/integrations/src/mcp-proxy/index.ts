export { createMcpProxy, type FromHost, type McpProxy } from "./create-mcp-proxy.ts";
export { type ProxyHost, proxyStdio, type StdioProxyOptions, type StdioProxyResult } from "./proxy-stdio.ts";

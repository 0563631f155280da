export { createMcpProxy, type FromHost, type McpProxy } from "./create-mcp-proxy.ts";
export { type ProxyHost, proxyStdio, type StdioProxyOptions, type StdioProxyResult } from "./proxy-stdio.ts";
export { type MessageTransport, proxyTransport, type TransportProxyOptions } from "./proxy-transport.ts";

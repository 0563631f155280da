export {
  connectMcpServers,
  type McpOptions,
  type McpReview,
  type McpServerStatus,
  type McpServers,
} from "./connect.ts";
export type { McpServerState } from "./connection.ts";
export { findProgram } from "./find-program.ts";
export { type LoginOptions, loginToServer } from "./login.ts";
export { type McpLogins, openLogins, type SavedLogin } from "./logins.ts";
export { type McpPin, type McpPins, memoryPins, openPins } from "./pins.ts";
export type { McpPrompt, McpResource } from "./resources.ts";
export type { PendingTool } from "./review.ts";
export { type HttpServer, type McpServerConfig, type StdioServer, serverName } from "./server-config.ts";
export type { McpToolDefinition, ToolAnnotations } from "./tool-definition.ts";

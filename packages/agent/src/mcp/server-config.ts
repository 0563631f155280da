import { createHash } from "node:crypto";
import type { ToolKind } from "@sheepdog/guardian";

/** An MCP server to connect to, and what its tools may do. */
export interface McpServerConfig {
  /** 1 to 24 letters, digits, "-" or single "_": its tools are named `<name>__<tool>`. */
  readonly name: string;
  readonly transport: StdioServer | HttpServer;
  /** Globs of the tools to offer to the model. Absent: all. */
  readonly tools?: readonly string[];
  /** Globs of tools that are left out. */
  readonly denyTools?: readonly string[];
  /** What tools do, by globs of their names. The gate relies on it, as on every word of the user. */
  readonly kinds?: Readonly<Record<string, ToolKind>>;
  /** The gate relies on what the server says about its tools. Default: false. */
  readonly trustsAnnotations?: boolean;
  /** How long the server may take to start and to list its tools. Default: 30 s. */
  readonly startTimeoutMs?: number;
  /** Absent: the runtime's limit for tools. */
  readonly callTimeoutMs?: number;
  /** The longest result, in estimated tokens. Absent: the runtime's limit. */
  readonly maxOutputTokens?: number;
}

/** A server that is a program of this machine. It speaks over its standard input and output. */
export interface StdioServer {
  readonly type: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  /** Its own variables. Of this process it gets only harmless ones, such as PATH, HOME and LANG. */
  readonly env?: Readonly<Record<string, string>>;
  /** Absolute. Default: the workspace. */
  readonly cwd?: string;
}

/** A server at an address, over streamable HTTP. */
export interface HttpServer {
  readonly type: "http";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A name that tools can begin with. A double "_" separates it from the tool. */
export const serverName: RegExp = /^(?!.*__)(?!.*_$)[A-Za-z0-9][A-Za-z0-9_-]{0,23}$/;

/** Identifies the program or the address of a server: another one under the same name has no approvals. */
export function serverSource({ transport }: McpServerConfig): string {
  const parts = transport.type === "http" ? [transport.url] : [transport.command, ...(transport.args ?? [])];
  return createHash("sha256")
    .update(JSON.stringify([transport.type, ...parts]))
    .digest("hex")
    .slice(0, 32);
}

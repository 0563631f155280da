import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import { connectMcpServers, type McpOptions, type McpServerConfig, type McpServers } from "../../src/mcp/index.ts";
import { toOutcome } from "../../src/tools/run-tool.ts";
import type { ToolOutcome } from "../../src/tools/tool.ts";

/** Servers in a test, with a folder that is removed after it. */
export interface Connected {
  readonly mcp: McpServers;
  readonly workspace: string;
  /** Calls a tool by its name, as the runtime does. */
  call(name: string, input?: unknown, options?: CallOptions): Promise<ToolOutcome>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (text: string) => void;
}

/** A program of a package that is installed for tests. */
export function bin(name: string): string {
  return fileURLToPath(new URL(`../../../../node_modules/.bin/${name}`, import.meta.url));
}

/** The server that misbehaves in a chosen way. */
export function hostile(mode: string, file = "", more: Partial<McpServerConfig> = {}): McpServerConfig {
  const script = fileURLToPath(new URL("hostile-server.mjs", import.meta.url));
  return {
    name: "evil",
    transport: { type: "stdio", command: process.execPath, args: [script, mode, ...(file === "" ? [] : [file])] },
    startTimeoutMs: 20_000,
    ...more,
  };
}

/** A folder that is removed after the test. */
export function scratch({ onTestFinished }: Pick<TestContext, "onTestFinished">): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sheepdog-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Connects, and waits until each server is ready or has failed. */
export async function connected(
  context: Pick<TestContext, "onTestFinished">,
  servers: readonly McpServerConfig[],
  options: Partial<McpOptions> = {},
): Promise<Connected> {
  const workspace = options.workspace ?? scratch(context);
  const mcp = await connectMcpServers(servers, { ...options, workspace });
  context.onTestFinished(() => mcp.close());
  await mcp.waitUntilReady(60_000);
  return {
    mcp,
    workspace,
    async call(name, input = {}, { signal = new AbortController().signal, progress = () => {} } = {}) {
      const tool = mcp.tools().find((each) => each.name === name);
      if (tool === undefined) throw new Error(`There is no tool ${name}.`);
      return toOutcome(await tool.run(input, { sessionId: "s", runId: "r", callId: "c", workspace, signal, progress }));
    },
  };
}

import { createRedact } from "@sheepdog/agent";
import { connectMcpServers, type McpReview, type McpServers, openLogins, openPins } from "@sheepdog/agent/mcp";
import type { Config } from "../../config/schema.ts";
import type { Home } from "../../home.ts";
import type { Io } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { secretValues } from "../secret-values.ts";
import { type McpServerConfigs, mcpServerConfigs } from "./server-configs.ts";
import { serverNote } from "./server-notes.ts";

export interface OpenMcpOptions {
  readonly config: Config;
  readonly home: Home;
  readonly env: Io["env"];
  /** The workspace, absolute. */
  readonly cwd: string;
  /** Asks the user about new and changed tools, before the first request. */
  readonly approveTools?: (review: McpReview) => Promise<boolean>;
  /** Shows a sentence about a server that became ready, or failed, later. */
  readonly say?: (sentence: string) => void;
  /** Only these servers. */
  readonly only?: readonly string[];
}

/** The servers of an agent. */
export interface OpenedMcp {
  readonly servers: McpServers;
  /** Sentences about servers that are not ready, and tools that are left out. */
  notes(): readonly string[];
  /** Secrets of the servers, to be removed from everything that is shown or saved. */
  readonly secrets: readonly string[];
}

/** Starts the configured servers. Rejects with a sentence if the approvals cannot be read. */
export async function openMcp(options: OpenMcpOptions): Promise<OpenedMcp> {
  const { config, home, env, cwd, approveTools, say = () => {}, only } = options;
  const chosen = Object.entries(config.mcp.servers).filter(([name]) => only?.includes(name) ?? true);
  const mcp = { ...config.mcp, servers: Object.fromEntries(chosen) };
  const configs: McpServerConfigs = mcpServerConfigs({ mcp }, { env, cwd });
  const redact = createRedact([...secretValues(config, env), ...configs.secrets]);
  const announced = new Map<string, string>();
  let isStarted = false;
  const servers = await connectMcpServers(configs.servers, {
    workspace: cwd,
    env: env as NodeJS.ProcessEnv, // the same type without `readonly`
    pins: await openPins(home.mcpPinsFile),
    logins: openLogins(home.mcpLoginsFile),
    redact,
    ...(approveTools === undefined ? {} : { approve: approveTools }),
    onChange: () => announce(),
  });

  /** Says what has changed since the start: each sentence once. */
  function announce(): void {
    if (!isStarted) return;
    for (const status of servers.status()) {
      const note = serverNote(status) ?? (announced.get(status.name) === undefined ? undefined : "");
      if (note === undefined || announced.get(status.name) === note) continue;
      announced.set(status.name, note);
      if (status.state === "starting" || status.state === "closed") continue;
      say(
        note === "" ? `The MCP server "${status.name}" is ready, with ${counted(status.tools.length, "tool")}.` : note,
      );
    }
  }

  return {
    servers,
    secrets: configs.secrets,
    notes() {
      isStarted = true;
      const notes = servers.status().flatMap((status) => {
        const note = serverNote(status);
        if (note !== undefined) announced.set(status.name, note);
        return note === undefined ? [] : [note];
      });
      return [...configs.problems, ...notes];
    },
  };
}

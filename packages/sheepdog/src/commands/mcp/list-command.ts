import type { McpServerSettings } from "../../config/mcp-keys.ts";
import { redactValue } from "../../config/redact-value.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, write } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { withServers } from "./loaded-servers.ts";

/** Lists the configured servers. Starts none of them. */
export async function listCommand({ json }: { readonly json?: true }, io: Io): Promise<number> {
  return withServers(io, [], async ({ config, home }) => {
    const { openPins } = await import("@sheepdog/agent/mcp");
    const pins = await openPins(home.mcpPinsFile);
    const servers = Object.entries(config.mcp.servers).map(([name, settings]) => ({
      name,
      isEnabled: settings.enabled !== false,
      ...startOf(settings, io.env),
      approvedTools: pins.tools(name),
    }));
    if (json) {
      await write(io.stdout, `${jsonText({ schemaVersion: 1, servers })}\n`);
      return exitCode.done;
    }
    if (servers.length === 0) {
      const example = "sheepdog mcp add files -- npx -y @modelcontextprotocol/server-filesystem .";
      await write(io.stdout, `There are no MCP servers yet. To add one: ${example}\n`);
      return exitCode.done;
    }
    const width = Math.max(...servers.map(({ name }) => name.length));
    for (const { name, isEnabled, start, approvedTools } of servers) {
      const approved =
        approvedTools.length === 0 ? "no approved tools" : counted(approvedTools.length, "approved tool");
      const off = isEnabled ? "" : " (off)";
      await write(io.stdout, `${name.padEnd(width)}  ${plainText(start)}  ${approved}${off}\n`);
    }
    return exitCode.done;
  });
}

/** How a server is started or reached. Headers and variables are not shown: they may hold secrets. */
export function startOf(
  settings: McpServerSettings,
  env: Io["env"],
): { readonly type: string; readonly start: string } {
  const { command, args = [], url = "" } = settings;
  const start = command === undefined ? url : [command, ...args].join(" ");
  return { type: command === undefined ? "http" : "stdio", start: String(redactValue(start, env)) };
}

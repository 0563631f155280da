import { openLogins, openPins } from "@sheepdog/agent/mcp";
import { dottedKey } from "../../config/dotted-key.ts";
import { unsetValue } from "../../config/set-value.ts";
import { shownPath } from "../../config/shown-path.ts";
import { exitCode } from "../../exit-code.ts";
import { type Io, writeMessage } from "../../io.ts";
import { withServers } from "./loaded-servers.ts";

/** Removes a server from the user's file, with what was approved and its login. */
export async function removeCommand(name: string, io: Io): Promise<number> {
  return withServers(io, [name], async ({ config, home }) => {
    const removed = await unsetValue(home.configFile, dottedKey(["mcp", "servers", name]), io.env);
    if (!removed.ok) {
      for (const problem of removed.problems) await writeMessage(io, problem);
      return exitCode.failed;
    }
    await (await openPins(home.mcpPinsFile)).forget(name);
    const url = config.mcp.servers[name]?.url;
    if (url !== undefined) await openLogins(home.mcpLoginsFile).save(url, undefined);
    await writeMessage(io, `the MCP server "${name}" is removed from ${shownPath(home.configFile, io.cwd)}`);
    return exitCode.done;
  });
}

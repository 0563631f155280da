import { loadConfig } from "../../config/load-config.ts";
import type { Config } from "../../config/schema.ts";
import { exitCode } from "../../exit-code.ts";
import { type Home, resolveHome } from "../../home.ts";
import { type Io, writeMessage } from "../../io.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** The configuration with its servers, and the home. */
export interface LoadedServers {
  readonly config: Config;
  readonly home: Home;
}

/** Loads the configuration and calls `act` with it; all `names` must be configured servers. */
export async function withServers(
  io: Io,
  wanted: readonly string[],
  act: (loaded: LoadedServers) => Promise<number>,
): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, problem);
    return exitCode.usage;
  }
  const names = Object.keys(loaded.config.mcp.servers);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known =
      names.length === 0 ? "there are none yet; to add one: sheepdog mcp add" : `there are ${names.join(", ")}`;
    await writeMessage(io, plainText(`there is no MCP server "${unknown}"; ${known}`));
    return exitCode.usage;
  }
  return act({ config: loaded.config, home });
}

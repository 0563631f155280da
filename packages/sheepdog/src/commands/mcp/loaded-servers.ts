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

/** Loads the configuration and calls `act` with it; `name` must be a configured server, if it is given. */
export async function withServers(
  io: Io,
  name: string | undefined,
  act: (loaded: LoadedServers) => Promise<number>,
): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, problem);
    return exitCode.usage;
  }
  const names = Object.keys(loaded.config.mcp.servers);
  if (name !== undefined && !names.includes(name)) {
    const known =
      names.length === 0 ? "there are none yet; to add one: sheepdog mcp add" : `there are ${names.join(", ")}`;
    await writeMessage(io, plainText(`there is no MCP server "${name}"; ${known}`));
    return exitCode.usage;
  }
  return act({ config: loaded.config, home });
}

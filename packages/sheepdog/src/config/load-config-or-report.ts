import { resolveHome } from "../home.ts";
import { type Io, writeMessage } from "../io.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** Loads the configuration and writes its notes or problems to stderr. Returns undefined if there are problems. */
export async function loadConfigOrReport(io: Io): Promise<Extract<LoadedConfig, { ok: true }> | undefined> {
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home: resolveHome(io.env) });
  for (const sentence of loaded.ok ? loaded.notes : loaded.problems) await writeMessage(io, sentence);
  return loaded.ok ? loaded : undefined;
}

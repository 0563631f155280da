import { resolveHome } from "../home.ts";
import { type Io, writeMessage } from "../io.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** The configuration; where it cannot be had, what is wrong with it is said, and so are the notes where it can. */
export async function loadConfigOrReport(io: Io): Promise<Extract<LoadedConfig, { ok: true }> | undefined> {
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home: resolveHome(io.env) });
  for (const sentence of loaded.ok ? loaded.notes : loaded.problems) await writeMessage(io, sentence);
  return loaded.ok ? loaded : undefined;
}

import { homeOf } from "../home.ts";
import { complain, type Io } from "../io.ts";
import { type LoadedConfig, loadConfig } from "./load-config.ts";

/** The configuration; where it cannot be had, what is wrong with it is said, and so are the notes where it can. */
export async function loadOrComplain(io: Io): Promise<Extract<LoadedConfig, { ok: true }> | undefined> {
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home: homeOf(io.env) });
  for (const sentence of loaded.ok ? loaded.notes : loaded.problems) await complain(io, sentence);
  return loaded.ok ? loaded : undefined;
}

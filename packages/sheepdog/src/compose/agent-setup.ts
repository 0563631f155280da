import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { loadConfig } from "../config/load-config.ts";
import { type RunOptions, readFlags } from "../config/run-options.ts";
import type { Config } from "../config/schema.ts";
import { type Home, resolveHome } from "../home.ts";
import type { Io } from "../io.ts";
import { withModel } from "./with-model.ts";

/** What `run` and `chat` need before they open an agent. */
export interface AgentSetup {
  readonly home: Home;
  readonly config: Config;
  /** Absolute, with links resolved. */
  readonly workspace: string;
  /** Sentences to show to the user. */
  readonly notes: readonly string[];
}

export type AgentSetupResult =
  | { readonly ok: true; readonly setup: AgentSetup }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads the folder, flags and configuration. Writes nothing and looks for no model. `hasSession`: an existing session
 * is used.
 */
export async function readAgentSetup(
  options: RunOptions,
  { env, cwd }: Pick<Io, "env" | "cwd">,
  hasSession: boolean,
): Promise<AgentSetupResult> {
  const workspace = await existingFolder(resolve(cwd, options.cwd ?? "."));
  if (workspace === undefined) return failure(`--cwd ${options.cwd ?? cwd}: there is no such folder`);
  const read = readFlags(options);
  if (!read.ok) return failure(...read.problems);
  const home = resolveHome(env);
  const loaded = await loadConfig({ env, cwd: workspace, home, flags: read.flags });
  if (!loaded.ok) return failure(...loaded.problems);
  const chosen =
    options.model === undefined
      ? ({ ok: true, config: loaded.config } as const)
      : withModel(loaded.config, options.model);
  if (!chosen.ok) return failure(chosen.problem);
  const { config } = chosen;
  if (hasSession && !config.agent.checkpoint.enabled)
    return failure("sessions are not saved, so none can be resumed: set agent.checkpoint.enabled=true");
  return { ok: true, setup: { home, config, workspace, notes: loaded.notes } };
}

function failure(...problems: readonly string[]): AgentSetupResult {
  return { ok: false, problems };
}

async function existingFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined; // the caller reports that there is no such folder
  }
}

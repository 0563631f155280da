import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { withModel } from "../../compose/with-model.ts";
import { loadConfig } from "../../config/load-config.ts";
import type { Config } from "../../config/schema.ts";
import { type Home, resolveHome } from "../../home.ts";
import type { Io } from "../../io.ts";
import { type RunOptions, readFlags } from "./run-options.ts";

/** What is known of any work with an agent before anything is opened for it. */
export interface WorkPlan {
  readonly home: Home;
  readonly config: Config;
  /** Absolute, links followed. */
  readonly workspace: string;
  /** Sentences for the person. */
  readonly notes: readonly string[];
}

export type PlannedWork =
  | { readonly ok: true; readonly plan: WorkPlan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what was asked for: folder, flags, configuration. `isOld`: a session is to go on. Nothing is written, and no model is looked for. */
export async function planWork(
  options: RunOptions,
  { env, cwd }: Pick<Io, "env" | "cwd">,
  isOld: boolean,
): Promise<PlannedWork> {
  const workspace = await folderOf(resolve(cwd, options.cwd ?? "."));
  if (workspace === undefined) return no(`--cwd ${options.cwd ?? cwd}: there is no such folder`);
  const read = readFlags(options);
  if (!read.ok) return no(...read.problems);
  const home = resolveHome(env);
  const loaded = await loadConfig({ env, cwd: workspace, home, flags: read.flags });
  if (!loaded.ok) return no(...loaded.problems);
  const chosen =
    options.model === undefined
      ? ({ ok: true, config: loaded.config } as const)
      : withModel(loaded.config, options.model);
  if (!chosen.ok) return no(chosen.problem);
  const { config } = chosen;
  if (isOld && !config.agent.checkpoint.enabled)
    return no("sessions are not kept (agent.checkpoint.enabled is false): there is none to go on with");
  return { ok: true, plan: { home, config, workspace, notes: loaded.notes } };
}

function no(...problems: readonly string[]): PlannedWork {
  return { ok: false, problems };
}

async function folderOf(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined; // told as a folder that is not there
  }
}

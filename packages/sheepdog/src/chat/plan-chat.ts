import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { withModel } from "../agent/with-model.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Config } from "../config/schema.ts";
import { type Home, homeOf } from "../home.ts";
import type { Io } from "../io.ts";
import { readFlags } from "../run/run-options.ts";
import { isId } from "../runs/is-id.ts";
import type { ChatCommandOptions } from "./chat-command.ts";

/** Everything that is known of a chat before anything is opened for it. */
export interface ChatPlan {
  readonly home: Home;
  readonly config: Config;
  /** Absolute, links followed. */
  readonly workspace: string;
  /** Sentences for the person. */
  readonly notes: readonly string[];
}

export type PlannedChat = { readonly ok: true; readonly plan: ChatPlan } | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what was asked for: folder, flags, configuration. Nothing is written. */
export async function planChat(options: ChatCommandOptions, { env, cwd }: Pick<Io, "env" | "cwd">): Promise<PlannedChat> {
  const { resume } = options;
  if (typeof resume === "string" && !isId(resume)) return no("--resume: an id has letters, digits, - and _ only, as in ses_1a2b3c; sheepdog runs lists them");
  const workspace = await folderOf(resolve(cwd, options.cwd ?? "."));
  if (workspace === undefined) return no(`--cwd ${options.cwd ?? cwd}: there is no such folder`);
  const { model, mode, maxCost, set } = options;
  const read = readFlags({ ...(mode === undefined ? {} : { mode }), ...(maxCost === undefined ? {} : { maxCost }), ...(set === undefined ? {} : { set }) });
  if (!read.ok) return no(...read.problems);
  const home = homeOf(env);
  const loaded = await loadConfig({ env, cwd: workspace, home, flags: read.flags });
  if (!loaded.ok) return no(...loaded.problems);
  const chosen = model === undefined ? loaded : withModel(loaded.config, model);
  if (!chosen.ok) return no("problem" in chosen ? chosen.problem : "");
  const { config } = chosen;
  const isOld = resume !== undefined || options.continue === true;
  if (isOld && !config.agent.checkpoint.enabled) return no("sessions are not kept (agent.checkpoint.enabled is false): there is none to go on with");
  return { ok: true, plan: { home, config, workspace, notes: loaded.notes } };
}

function no(...problems: readonly string[]): PlannedChat {
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

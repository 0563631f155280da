import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Goal } from "@sheepdog/agent";
import { withModel } from "../agent/with-model.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Config } from "../config/schema.ts";
import { type Home, homeOf } from "../home.ts";
import type { Io } from "../io.ts";
import { impossible } from "./choose-session.ts";
import { readGoal } from "./read-goal.ts";
import { readPrompt } from "./read-prompt.ts";
import { type RunOptions, readFlags } from "./run-options.ts";

/** Everything that is known of a run before anything is opened for it. */
export interface Plan {
  readonly home: Home;
  readonly config: Config;
  /** Absolute, links followed. */
  readonly workspace: string;
  /** Absent where a session goes on from where it was. */
  readonly prompt: string | undefined;
  readonly goal: Goal | undefined;
  readonly attended: boolean;
  /** Somebody sits at a terminal where questions can be asked. */
  readonly canAsk: boolean;
  /** Sentences for stderr. */
  readonly notes: readonly string[];
}

export type PlannedRun = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what was asked for: folder, flags, configuration, prompt, goal. Nothing is written, and no model is looked for. */
export async function planRun(words: readonly string[], options: RunOptions, io: Io): Promise<PlannedRun> {
  const workspace = await folderOf(options.cwd, io.cwd);
  if (workspace === undefined) return no(`--cwd ${options.cwd ?? io.cwd}: there is no such folder`);
  const read = readFlags(options);
  if (!read.ok) return no(...read.problems);
  const home = homeOf(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: workspace, home, flags: read.flags });
  if (!loaded.ok) return no(...loaded.problems);
  const chosen = options.model === undefined ? ({ ok: true, config: loaded.config } as const) : withModel(loaded.config, options.model);
  if (!chosen.ok) return no(chosen.problem);
  const { config } = chosen;
  const isOld = options.resume !== undefined || options.continue === true;
  if (isOld && !config.agent.checkpoint.enabled) return no("sessions are not kept (agent.checkpoint.enabled is false): there is none to go on with");
  const found = await readPrompt(words, { file: options.file, canDoWithout: isOld }, io);
  if (!found.ok) return no(found.problem);
  const { prompt } = found;
  const against = impossible({ ...options, prompt });
  if (against !== undefined) return no(against);
  if (prompt === undefined && (options.goal !== undefined || options.expect !== undefined))
    return no("a session that goes on keeps its goal: --goal and --expect need a prompt");
  const goal = prompt === undefined ? undefined : await readGoal(options, prompt, io.cwd);
  if (goal !== undefined && "problem" in goal) return no(goal.problem);
  return { ok: true, plan: { home, config, workspace, prompt, goal, ...watching(options, config, io), notes: loaded.notes } };
}

function no(...problems: readonly string[]): PlannedRun {
  return { ok: false, problems };
}

async function folderOf(dir: string | undefined, cwd: string): Promise<string | undefined> {
  try {
    const path = await realpath(resolve(cwd, dir ?? "."));
    return (await stat(path)).isDirectory() ? path : undefined;
  } catch {
    return undefined; // told as a folder that is not there
  }
}

function watching({ json, streamJson, unattended }: RunOptions, { agent }: Config, { stdin, stderr }: Io): Pick<Plan, "attended" | "canAsk"> {
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true && json === undefined && streamJson === undefined;
  const attended = unattended === undefined && (agent.attended ?? isTerminal);
  return { attended, canAsk: attended && isTerminal };
}

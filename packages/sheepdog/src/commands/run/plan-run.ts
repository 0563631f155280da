import type { Goal } from "@sheepdog/agent";
import type { Config } from "../../config/schema.ts";
import type { Io } from "../../io.ts";
import { impossible } from "./choose-session.ts";
import { planWork, type WorkPlan } from "./plan-work.ts";
import { readGoal } from "./read-goal.ts";
import { readPrompt } from "./read-prompt.ts";
import type { RunOptions } from "./run-options.ts";

/** Everything that is known of a run before anything is opened for it. */
export interface Plan extends WorkPlan {
  /** Absent where a session goes on from where it was. */
  readonly prompt: string | undefined;
  readonly goal: Goal | undefined;
  readonly attended: boolean;
  /** Somebody sits at a terminal where questions can be asked. */
  readonly canAsk: boolean;
}

export type PlannedRun =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads what was asked for: folder, flags, configuration, prompt, goal. Nothing is written, and no model is looked for. */
export async function planRun(words: readonly string[], options: RunOptions, io: Io): Promise<PlannedRun> {
  const isOld = options.resume !== undefined || options.continue === true;
  const planned = await planWork(options, io, isOld);
  if (!planned.ok) return planned;
  const { plan } = planned;
  const found = await readPrompt(words, { file: options.file, canDoWithout: isOld }, io);
  if (!found.ok) return no(found.problem);
  const { prompt } = found;
  const against = impossible({ ...options, prompt });
  if (against !== undefined) return no(against);
  if (prompt === undefined && (options.goal !== undefined || options.expect !== undefined))
    return no("a session that goes on keeps its goal: --goal and --expect need a prompt");
  const goal = prompt === undefined ? undefined : await readGoal(options, prompt, io.cwd);
  if (goal !== undefined && "problem" in goal) return no(goal.problem);
  return { ok: true, plan: { ...plan, prompt, goal, ...watching(options, plan.config, io) } };
}

function no(...problems: readonly string[]): PlannedRun {
  return { ok: false, problems };
}

function watching(
  { json, streamJson, unattended }: RunOptions,
  { agent }: Config,
  { stdin, stderr }: Io,
): Pick<Plan, "attended" | "canAsk"> {
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true && json === undefined && streamJson === undefined;
  const attended = unattended === undefined && (agent.attended ?? isTerminal);
  return { attended, canAsk: attended && isTerminal };
}

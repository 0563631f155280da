import type { Goal } from "@sheepdog/agent";
import { type AgentSetup, readAgentSetup } from "../../compose/agent-setup.ts";
import type { RunOptions } from "../../config/run-options.ts";
import type { Config } from "../../config/schema.ts";
import type { Io } from "../../io.ts";
import { sessionOptionsProblem } from "../../saved-runs/choose-session.ts";
import { goalFlags, hasGoalOptions, readGoal } from "./read-goal.ts";
import { readPrompt } from "./read-prompt.ts";

/** Everything that is known about a run before a store or a model is opened. */
export interface RunPlan extends AgentSetup {
  /** Absent when the run resumes a session without a new prompt. */
  readonly prompt: string | undefined;
  readonly goal: Goal | undefined;
  /** The model plans the run. A directed run has a goal. */
  readonly isDirected: boolean;
  readonly attended: boolean;
  /** The user is at a terminal, so questions can be asked. */
  readonly canAsk: boolean;
}

export type PlannedRun =
  | { readonly ok: true; readonly plan: RunPlan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the folder, flags, configuration, prompt and goal. Writes nothing and looks for no model. */
export async function planRun(words: readonly string[], options: RunOptions, io: Io): Promise<PlannedRun> {
  const hasSession = options.resume !== undefined || options.continue === true;
  const setup = await readAgentSetup(options, io, hasSession);
  if (!setup.ok) return setup;
  const read = await readPrompt(words, { file: options.file, isOptional: hasSession }, io);
  if (!read.ok) return failure(read.problem);
  const { prompt, note } = read;
  const problem = sessionOptionsProblem({ ...options, prompt });
  if (problem !== undefined) return failure(problem);
  if (prompt === undefined && hasGoalOptions(options))
    return failure(`a resumed run keeps its goal: ${goalFlags} need a prompt`);
  const goal = prompt === undefined ? undefined : await readGoal(options, prompt, io.cwd);
  if (goal !== undefined && "problems" in goal) return failure(...goal.problems);
  const notes = [...setup.setup.notes, ...(note === undefined ? [] : [note])];
  const isDirected = options.director === true;
  const attended = attendance(options, setup.setup.config, io);
  return { ok: true, plan: { ...setup.setup, notes, prompt, goal, isDirected, ...attended } };
}

function failure(...problems: readonly string[]): PlannedRun {
  return { ok: false, problems };
}

function attendance(
  { json, streamJson, unattended, answers }: RunOptions,
  { agent }: Config,
  { stdin, stderr }: Io,
): Pick<RunPlan, "attended" | "canAsk"> {
  if (answers === "remote") return { attended: true, canAsk: false };
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true && json === undefined && streamJson === undefined;
  const attended = unattended === undefined && (agent.attended ?? isTerminal);
  return { attended, canAsk: attended && isTerminal };
}
